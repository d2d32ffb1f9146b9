#include "tools/draw/wiring.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hilda::draw {
namespace {

constexpr double same = 2.5;  ///< px: heights that look like one
constexpr double apart = 7.0; ///< px: what vertical lines on one track keep between them

bool inside(double y, const Crossbar& bar) { return y > bar.low() - same && y < bar.high() + same; }

/// What it costs to have `a` on the left of `b`: crossings, and lines that would lie on each other.
int cost(const Crossbar& a, const Crossbar& b) {
  int sum = 0;
  for (const double y : a.right) sum += inside(y, b) ? 1 : 0;
  for (const double y : b.left) sum += inside(y, a) ? 1 : 0;
  for (const double ya : a.right)
    for (const double yb : b.left) sum += std::abs(ya - yb) < same ? 100 : 0;
  return sum;
}

bool straight(const Crossbar& bar) { return bar.high() - bar.low() < 0.01; }

/// Orders the vertical lines of a channel and gives them tracks.
void assign_tracks(Channel& channel) {
  std::vector<Crossbar*> bars;
  for (Crossbar& bar : channel.bars)
    if (!straight(bar)) bars.push_back(&bar);
  // by insertion: each line goes where it costs least among those placed
  std::vector<Crossbar*> placed;
  for (Crossbar* bar : bars) {
    std::size_t best = 0;
    int least = 0, now = 0;
    for (Crossbar* each : placed) now += cost(*bar, *each);
    least = now;
    for (std::size_t i = 0; i < placed.size(); ++i) {
      now += cost(*placed[i], *bar) - cost(*bar, *placed[i]);
      if (now < least) least = now, best = i + 1;
    }
    placed.insert(placed.begin() + static_cast<std::ptrdiff_t>(best), bar);
  }
  for (bool better = true; better;) {
    better = false;
    for (std::size_t i = 0; i + 1 < placed.size(); ++i)
      if (cost(*placed[i + 1], *placed[i]) < cost(*placed[i], *placed[i + 1])) {
        std::swap(placed[i], placed[i + 1]);
        better = true;
      }
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    Crossbar& bar = *placed[i];
    bar.track = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const Crossbar& other = *placed[j];
      const bool overlap = bar.low() < other.high() + apart && other.low() < bar.high() + apart;
      if (overlap || cost(bar, other) > cost(other, bar)) bar.track = std::max(bar.track, other.track + 1);
    }
    channel.tracks = std::max(channel.tracks, bar.track + 1);
  }
}

double height_at(const std::vector<Pass>& passes, int rank, double otherwise) {
  for (const Pass& pass : passes)
    if (pass.rank == rank) return pass.y;
  return otherwise;
}

class Wirer {
public:
  Wirer(const Sketch& sketch, const std::vector<Size>& sizes, const Layout& layout)
      : sketch_(sketch), sizes_(sizes), layout_(layout) {}

  Wiring wire() {
    wiring_.inputs.resize(sketch_.symbols.size());
    wiring_.outputs.resize(sketch_.symbols.size());
    wiring_.channels.resize(static_cast<std::size_t>(layout_.ranks) + 1);
    place_ports();
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) connect(n);
    for (Channel& channel : wiring_.channels) assign_tracks(channel);
    return std::move(wiring_);
  }

private:
  int rank(int symbol) const { return layout_.rank[static_cast<std::size_t>(symbol)]; }
  double middle(int symbol) const { return layout_.y[static_cast<std::size_t>(symbol)]; }

  /// Where a net's wire is just before it enters an end, as far as it is known.
  double source_height(std::size_t n, const Net::End& end) const {
    const Net& net = sketch_.nets[n];
    const int from = rank(net.from), to = rank(end.symbol);
    if (to <= from) return height_at(layout_.back[n], to, middle(net.from));
    return to == from + 1 ? middle(net.from) : height_at(layout_.ahead[n], to - 1, middle(net.from));
  }

  /// Where a net goes from its start: the mean of its next places.
  double target_height(std::size_t n) const {
    const Net& net = sketch_.nets[n];
    const int from = rank(net.from);
    double sum = 0;
    int count = 0;
    for (const Net::End& end : net.to) {
      const int to = rank(end.symbol);
      sum += to <= from       ? height_at(layout_.back[n], from, middle(end.symbol))
             : to == from + 1 ? middle(end.symbol)
                              : height_at(layout_.ahead[n], from + 1, middle(end.symbol));
      ++count;
    }
    return count > 0 ? sum / count : middle(net.from);
  }

  void place_ports() {
    std::vector<std::vector<std::pair<double, PortPlace>>> in(sketch_.symbols.size()), out(sketch_.symbols.size());
    for (std::size_t n = 0; n < sketch_.nets.size(); ++n) {
      const Net& net = sketch_.nets[n];
      out[static_cast<std::size_t>(net.from)].push_back({target_height(n), {static_cast<int>(n), -1, 0}});
      for (std::size_t e = 0; e < net.to.size(); ++e)
        in[static_cast<std::size_t>(net.to[e].symbol)].push_back(
            {source_height(n, net.to[e]), {static_cast<int>(n), static_cast<int>(e), 0}});
    }
    for (std::size_t s = 0; s < sketch_.symbols.size(); ++s) {
      spread(s, in[s], wiring_.inputs[s]);
      spread(s, out[s], wiring_.outputs[s]);
    }
  }

  /// About the side's middle: inputs evenly, outputs with room for their labels; round symbols and triangles take
  /// everything near their middle.
  void spread(std::size_t symbol, std::vector<std::pair<double, PortPlace>>& wanted, std::vector<PortPlace>& ports) {
    std::stable_sort(wanted.begin(), wanted.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const Symbol::Kind kind = sketch_.symbols[symbol].kind;
    const bool narrow = kind == Symbol::Kind::sum || kind == Symbol::Kind::gain;
    double at = 0;
    for (const auto& [height, place] : wanted) {
      const std::size_t lines = place.end < 0 ? sketch_.nets[static_cast<std::size_t>(place.net)].labels.size() : 1;
      if (!ports.empty())
        at += narrow ? sizes_[symbol].height * 0.6 / static_cast<double>(wanted.size()) : port_room(lines);
      ports.push_back(place);
      ports.back().y = at;
    }
    for (PortPlace& port : ports) port.y += layout_.y[symbol] - at / 2;
  }

  double port_height(int symbol, int net, int end) const {
    const auto& ports =
        end < 0 ? wiring_.outputs[static_cast<std::size_t>(symbol)] : wiring_.inputs[static_cast<std::size_t>(symbol)];
    for (const PortPlace& port : ports)
      if (port.net == net && port.end == end) return port.y;
    return middle(symbol);
  }

  Crossbar& bar(int right_of_rank, int net) {
    Channel& channel = wiring_.channels[static_cast<std::size_t>(right_of_rank + 1)];
    for (Crossbar& each : channel.bars)
      if (each.net == net) return each;
    channel.bars.push_back({net, {}, {}, -1});
    return channel.bars.back();
  }

  void connect(std::size_t n) {
    const Net& net = sketch_.nets[n];
    const int index = static_cast<int>(n);
    bar(rank(net.from), index).left.push_back(port_height(net.from, index, -1));
    for (const Pass& pass : layout_.ahead[n]) {
      bar(pass.rank - 1, index).right.push_back(pass.y);
      bar(pass.rank, index).left.push_back(pass.y);
    }
    for (std::size_t e = 0; e < net.to.size(); ++e)
      bar(rank(net.to[e].symbol) - 1, index).right.push_back(port_height(net.to[e].symbol, index, static_cast<int>(e)));
    // Feedback goes back over its own passes, from the channel behind the start to the one before the end.
    for (const Pass& pass : layout_.back[n]) {
      bar(pass.rank, index).left.push_back(pass.y);
      bar(pass.rank - 1, index).right.push_back(pass.y);
    }
  }

  const Sketch& sketch_;
  const std::vector<Size>& sizes_;
  const Layout& layout_;
  Wiring wiring_;
};

} // namespace

double port_room(std::size_t lines) { return std::max(15.0, 9.0 * static_cast<double>(lines) + 6.0); }

double Crossbar::low() const {
  double least = left.empty() ? right.front() : left.front();
  for (const double y : left) least = std::min(least, y);
  for (const double y : right) least = std::min(least, y);
  return least;
}

double Crossbar::high() const {
  double greatest = left.empty() ? right.front() : left.front();
  for (const double y : left) greatest = std::max(greatest, y);
  for (const double y : right) greatest = std::max(greatest, y);
  return greatest;
}

Wiring wire_up(const Sketch& sketch, const std::vector<Size>& sizes, const Layout& layout) {
  return Wirer(sketch, sizes, layout).wire();
}

} // namespace hilda::draw

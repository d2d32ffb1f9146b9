'use strict';
// The page of a study: everything is drawn from the rows in it.
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const svgSpace = 'http://www.w3.org/2000/svg';
const number = (v) => (v === null ? NaN : v === 'inf' ? Infinity : v === '-inf' ? -Infinity : v);
const axes = data.columns.filter((c) => c.kind === 'number' || c.kind === 'word');
const figures = data.columns.filter((c) => c.kind === 'figure');
const inputs = data.columns.filter((c) => c.kind !== 'figure');
const repeats = (c) => c.kind === 'draw' && /(^|\.)seed$/.test(c.name);  // its number says nothing
const choices = [...axes, ...inputs.filter((c) => c.kind === 'draw' && !repeats(c))];
const short = (v) => (Number.isFinite(v) ? String(Number(v.toPrecision(4))) : String(v));
const named = (c) => c.name + (c.unit ? ' [' + c.unit + ']' : '');
const of = (row, column) => (column.kind === 'word' ? row[column.at] : number(row[column.at]));

function add(parent, tag, attributes, text) {
  const made = document.createElementNS(svgSpace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  parent.appendChild(made);
  return made;
}
function picture(id, width, height) {
  const place = byId(id);
  place.replaceChildren();
  const made = document.createElementNS(svgSpace, 'svg');
  made.setAttribute('viewBox', `0 0 ${width} ${height}`);
  made.setAttribute('width', width);
  place.appendChild(made);
  return made;
}
function valuesOf(axis) {
  const all = new Set();
  for (const row of data.rows) {
    const v = of(row, axis);
    if (axis.kind === 'word' ? v !== '' : !Number.isNaN(v)) all.add(v);
  }
  const list = [...all];
  return axis.kind === 'word' ? list : list.sort((a, b) => a - b);
}
// Where a column's numbers lie: those of an axis by themselves, drawn ones in parts of equal width, named by their middles.
function placesOf(column) {
  const values = valuesOf(column);
  if (column.kind !== 'draw' || values.length < 4) {
    const at = new Map(values.map((v, i) => [v, i]));
    return {values, at: (v) => at.get(v)};
  }
  const parts = Math.min(12, Math.max(3, Math.round(Math.sqrt(values.length)))), low = values[0], width = (values[values.length - 1] - low) / parts;
  return {values: Array.from({length: parts}, (_, i) => low + (i + 0.5) * width),
    at: (v) => (Number.isNaN(v) ? undefined : Math.min(parts - 1, Math.floor((v - low) / width)))};
}
const stops = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [253, 231, 37]];
function colour(part) {
  const at = Math.min(Math.max(part, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2), r = at - i;
  return 'rgb(' + stops[i].map((v, c) => Math.round(v * (1 - r) + stops[i + 1][c] * r)).join(',') + ')';
}
function scaleOf(numbers) {
  const known = numbers.filter(Number.isFinite);
  let low = Infinity, high = -Infinity;
  for (const v of known) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!known.length) { low = 0; high = 1; }
  const decades = low > 0 && high > 100 * low;
  if (!(high > low)) high = low + Math.max(Math.abs(low) * 1e-9, 1e-9);
  return {low, high, decades,
    part: (v) => (decades ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low)),
    at: (p) => (decades ? low * (high / low) ** p : low + (high - low) * p)};
}
function quantile(sorted, part) {
  if (!sorted.length) return NaN;
  const at = part * (sorted.length - 1), i = Math.floor(at);
  return i + 1 < sorted.length ? sorted[i] + (sorted[i + 1] - sorted[i]) * (at - i) : sorted[i];
}
const chosen = () => ({figure: figures[byId('figure').value], across: choices[byId('across').value], up: choices[byId('up').value],
  limit: byId('limit').value.trim() === '' ? NaN : Number(byId('limit').value)});

function show(row) {
  const place = byId('run');
  place.replaceChildren();
  const table = document.createElement('table');
  const line = (name, text) => {
    const tr = table.insertRow();
    tr.insertCell().textContent = name;
    tr.insertCell().textContent = text;
  };
  line('run', row[0]);
  for (const c of data.columns) line(named(c), c.kind === 'word' ? row[c.at] : short(of(row, c)));
  line('ending', row[row.length - 2] + (row[row.length - 1] ? ': ' + row[row.length - 1] : ''));
  place.appendChild(table);
  const text = document.createElement('p'), show_it = document.createElement('code'), log = document.createElement('code');
  show_it.textContent = `hilda sweep show ${row[0]} ${data.file}`;
  log.textContent = `hilda sweep rerun ${row[0]} ${data.file} --log run${row[0]}.mcap`;
  text.append('Its command line: ', show_it, '  Its log: ', log);
  place.appendChild(text);
  byId('picked').hidden = false;
}

function drawMap() {
  const {figure, across, up, limit} = chosen();
  if (!across || !up || across === up) return byId('map').replaceChildren('two different axes are needed');
  const places = {x: placesOf(across), y: placesOf(up)}, xs = places.x.values, ys = places.y.values;
  const others = axes.filter((a) => a !== across && a !== up);
  const panels = new Map();
  for (const row of data.rows) {
    const i = places.x.at(of(row, across)), j = places.y.at(of(row, up));
    if (i === undefined || j === undefined) continue;
    const heading = others.map((a) => of(row, a)).filter((v) => v !== '' && !Number.isNaN(v))
      .map((v) => (typeof v === 'number' ? short(v) : v)).join(', ');
    if (!panels.has(heading)) panels.set(heading, Array.from({length: xs.length * ys.length}, () => []));
    panels.get(heading)[j * xs.length + i].push(row);
  }
  const mean = (rows) => {
    const known = rows.map((r) => of(r, figure)).filter((v) => !Number.isNaN(v));
    return known.length ? known.reduce((a, b) => a + b, 0) / known.length : NaN;
  };
  const means = [...panels].map(([heading, cells]) => [heading, cells, cells.map(mean)]);
  const scale = scaleOf(means.flatMap(([, , m]) => m));
  const w = 260, h = 190, left = 66, columns = Math.min(3, means.length), step = h + 74;
  const svg = picture('map', columns * (w + left) + 20, Math.ceil(means.length / columns) * step + 40);
  means.forEach(([heading, cells, m], p) => {
    const x = left + (p % columns) * (w + left), y = 24 + Math.floor(p / columns) * step, cw = w / xs.length, ch = h / ys.length;
    add(svg, 'text', {x, y: y - 7, 'font-weight': 'bold'}, heading);
    cells.forEach((rows, k) => {
      const i = k % xs.length, j = Math.floor(k / xs.length), v = m[k];
      const cell = add(svg, 'rect', {x: x + i * cw, y: y + h - (j + 1) * ch, width: cw + 0.3, height: ch + 0.3, class: 'cell',
        fill: Number.isNaN(v) ? '#9994' : colour(Number.isFinite(v) ? scale.part(v) : v > 0 ? 1 : 0)});
      add(cell, 'title', {}, `${heading}\n${named(across)} ${typeof xs[i] === 'number' ? short(xs[i]) : xs[i]}\n${named(up)} ` +
        `${typeof ys[j] === 'number' ? short(ys[j]) : ys[j]}\n${named(figure)} ${short(v)} (${rows.length} runs)`);
      if (rows.length) cell.addEventListener('click', () => show(rows[0]));
    });
    if (!Number.isNaN(limit)) m.forEach((v, k) => {
      const i = k % xs.length, j = Math.floor(k / xs.length), cx = x + i * cw, cy = y + h - (j + 1) * ch, red = {stroke: '#ff2d2d', 'stroke-width': 2};
      if (Number.isNaN(v)) return;
      const differs = (o) => o !== undefined && !Number.isNaN(o) && (v >= limit) !== (o >= limit);
      if (i + 1 < xs.length && differs(m[k + 1])) add(svg, 'line', {x1: cx + cw, y1: cy, x2: cx + cw, y2: cy + ch, ...red});
      if (j + 1 < ys.length && differs(m[k + xs.length])) add(svg, 'line', {x1: cx, y1: cy, x2: cx + cw, y2: cy, ...red});
    });
    const every = (n, most) => Math.max(1, Math.ceil(n / most));
    xs.forEach((v, i) => { if (i % every(xs.length, 7) === 0) add(svg, 'text', {x: x + (i + 0.5) * cw, y: y + h + 13, 'text-anchor': 'middle'}, typeof v === 'number' ? short(v) : v); });
    ys.forEach((v, j) => { if (j % every(ys.length, 12) === 0) add(svg, 'text', {x: x - 4, y: y + h - (j + 0.5) * ch + 3, 'text-anchor': 'end'}, typeof v === 'number' ? short(v) : v); });
    add(svg, 'text', {x: x + w / 2, y: y + h + 28, 'text-anchor': 'middle'}, named(across));
  });
  const y = Math.ceil(means.length / columns) * step + 8;
  for (let i = 0; i < 80; ++i) add(svg, 'rect', {x: left + i * 4, y, width: 4.3, height: 9, fill: colour((i + 0.5) / 80)});
  for (let i = 0; i < 5; ++i) add(svg, 'text', {x: left + i * 80, y: y + 22, 'text-anchor': 'middle'}, short(scale.at(i / 4)));
}

function frame(svg, x, y, w, h, sx, sy, across, up) {
  add(svg, 'rect', {x, y, width: w, height: h, class: 'axis'});
  for (let i = 0; i <= 4; ++i) {
    add(svg, 'text', {x: x + w * i / 4, y: y + h + 13, 'text-anchor': 'middle'}, short(sx.at(i / 4)));
    add(svg, 'text', {x: x - 4, y: y + h - h * i / 4 + 3, 'text-anchor': 'end'}, short(sy.at(i / 4)));
  }
  add(svg, 'text', {x: x + w / 2, y: y + h + 28, 'text-anchor': 'middle'}, across);
  add(svg, 'text', {x, y: y - 6}, up);
}

function drawLines() {
  const {figure, across} = chosen();
  if (!across || across.kind === 'word') return byId('lines').replaceChildren('the axis across has no numbers');
  const word = axes.find((a) => a.kind === 'word'), groups = new Map(), along = placesOf(across);
  for (const row of data.rows) {
    const v = of(row, figure), at = along.values[along.at(of(row, across))], name = word ? of(row, word) : '';
    if (!Number.isFinite(v) || at === undefined) continue;
    if (!groups.has(name)) groups.set(name, new Map());
    if (!groups.get(name).has(at)) groups.get(name).set(at, []);
    groups.get(name).get(at).push(v);
  }
  const bands = [...groups].map(([name, places]) => [name, [...places].sort((a, b) => a[0] - b[0]).map(([at, all]) => {
    all.sort((a, b) => a - b);
    return [at, quantile(all, 0.1), quantile(all, 0.5), quantile(all, 0.9)];
  })]);
  const sx = scaleOf(valuesOf(across)), sy = scaleOf(bands.flatMap(([, b]) => b.flatMap(([, ...q]) => q)));
  const svg = picture('lines', 900, 330), x = 70, y = 24, w = 640, h = 250;
  frame(svg, x, y, w, h, sx, sy, named(across), named(figure));
  bands.forEach(([name, band], g) => {
    const hue = `hsl(${Math.round(g * 360 / bands.length)} 65% 45%)`, px = (v) => x + w * sx.part(v), py = (v) => y + h - h * sy.part(v);
    const path = [...band.map(([at, low]) => [px(at), py(low)]), ...band.slice().reverse().map(([at, , , high]) => [px(at), py(high)])];
    add(svg, 'polygon', {points: path.map((p) => p.join()).join(' '), fill: hue, opacity: 0.15});
    add(svg, 'polyline', {points: band.map(([at, , middle]) => [px(at), py(middle)].join()).join(' '), fill: 'none', stroke: hue, 'stroke-width': 1.8});
    add(svg, 'line', {x1: x + w + 14, x2: x + w + 34, y1: y + 8 + g * 16, y2: y + 8 + g * 16, stroke: hue, 'stroke-width': 2});
    add(svg, 'text', {x: x + w + 40, y: y + 11 + g * 16}, name);
  });
}

function drawHistogram() {
  const {figure} = chosen(), all = data.rows.map((r) => of(r, figure)), known = all.filter(Number.isFinite), scale = scaleOf(known);
  const bins = new Array(30).fill(0);
  for (const v of known) ++bins[Math.min(29, Math.floor(scale.part(v) * 30))];
  const most = Math.max(1, ...bins), svg = picture('histogram', 460, 240);
  frame(svg, 56, 20, 380, 170, scale, scaleOf([0, most]), named(figure), 'runs');
  bins.forEach((n, i) => add(svg, 'rect', {x: 56 + 380 * i / 30, y: 190 - 170 * n / most, width: 380 / 30 - 1, height: 170 * n / most, class: 'bar'}));
  add(svg, 'text', {x: 56, y: 236}, `${all.length - known.length} runs without it`);
}

function ranks(values) {
  const order = values.map((v, i) => [v, i]).sort((a, b) => a[0] - b[0]), result = new Array(values.length);
  for (let i = 0; i < order.length;) {
    let j = i;
    while (j < order.length && order[j][0] === order[i][0]) ++j;
    for (let k = i; k < j; ++k) result[order[k][1]] = (i + j - 1) / 2;
    i = j;
  }
  return result;
}
function correlation(a, b) {
  const n = a.length, ma = a.reduce((x, y) => x + y, 0) / n, mb = b.reduce((x, y) => x + y, 0) / n;
  let ab = 0, aa = 0, bb = 0;
  for (let i = 0; i < n; ++i) { ab += (a[i] - ma) * (b[i] - mb); aa += (a[i] - ma) ** 2; bb += (b[i] - mb) ** 2; }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
function drawSensitivity() {
  const {figure} = chosen(), numeric = inputs.filter((c) => c.kind !== 'word' && !repeats(c));
  const svg = picture('sensitivity', 460, 30 + numeric.length * 20);
  numeric.forEach((c, i) => {
    const pairs = data.rows.map((r) => [of(r, c), of(r, figure)]).filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b));
    const r = pairs.length > 2 ? correlation(ranks(pairs.map((p) => p[0])), ranks(pairs.map((p) => p[1]))) : 0;
    add(svg, 'text', {x: 150, y: 16 + i * 20, 'text-anchor': 'end'}, c.name);
    add(svg, 'rect', {x: 270 + Math.min(0, r) * 100, y: 7 + i * 20, width: Math.abs(r) * 100, height: 11, class: 'bar'});
    add(svg, 'text', {x: 400, y: 16 + i * 20}, r.toFixed(3));
  });
}

const few = (rows, most) => (rows.length <= most ? rows : rows.filter((_, i) => i % Math.ceil(rows.length / most) === 0));
function drawScatter() {
  const {figure, across} = chosen();
  if (!across || across.kind === 'word') return byId('scatter').replaceChildren('the axis across has no numbers');
  const rows = few(data.rows.filter((r) => Number.isFinite(of(r, figure)) && !Number.isNaN(of(r, across))), 5000);
  const sx = scaleOf(rows.map((r) => of(r, across))), sy = scaleOf(rows.map((r) => of(r, figure))), svg = picture('scatter', 900, 330);
  frame(svg, 70, 24, 640, 250, sx, sy, named(across), named(figure));
  for (const row of rows) {
    const dot = add(svg, 'circle', {cx: 70 + 640 * sx.part(of(row, across)), cy: 274 - 250 * sy.part(of(row, figure)), r: 2.2, class: 'bar cell', opacity: 0.6});
    dot.addEventListener('click', () => show(row));
  }
}
function drawParallel() {
  const {figure} = chosen(), columns = [...inputs, ...figures], rows = few(data.rows, 600), svg = picture('parallel', 1100, 300);
  const scales = columns.map((c) => {
    if (c.kind !== 'word') return scaleOf(data.rows.map((r) => of(r, c)));
    const words = valuesOf(c);
    return {part: (v) => (words.indexOf(v) + 0.5) / words.length};
  });
  const x = (i) => 40 + 1020 * i / Math.max(1, columns.length - 1), own = scaleOf(data.rows.map((r) => of(r, figure)));
  for (const row of rows) {
    const points = columns.map((c, i) => [x(i), scales[i].part(of(row, c))]).filter(([, p]) => Number.isFinite(p)).map(([px, p]) => `${px},${260 - 220 * p}`);
    const v = of(row, figure), line = add(svg, 'polyline', {points: points.join(' '), fill: 'none', stroke: Number.isFinite(v) ? colour(own.part(v)) : '#999', opacity: 0.5, class: 'cell'});
    line.addEventListener('click', () => show(row));
  }
  columns.forEach((c, i) => {
    add(svg, 'line', {x1: x(i), x2: x(i), y1: 40, y2: 260, class: 'axis'});
    add(svg, 'text', {x: x(i), y: i % 2 ? 284 : 30, 'text-anchor': 'middle'}, named(c));
  });
}

function fill(id, list, preferred) {
  list.forEach((c, i) => byId(id).add(new Option(c.name, i, false, i === preferred)));
  byId(id).addEventListener('change', drawAll);
}
function drawAll() {
  for (const draw of [drawMap, drawLines, drawHistogram, drawSensitivity, drawScatter, drawParallel]) draw();
}
const rank = {number: 2, word: 1, draw: 0};
const order = choices.map((a, i) => [rank[a.kind], valuesOf(a).length, i]).sort((a, b) => b[0] - a[0] || b[1] - a[1]);
fill('figure', figures, figures.length - 1);
fill('across', choices, order.length ? order[0][2] : 0);
fill('up', choices, order.length > 1 ? order[1][2] : 0);
byId('limit').addEventListener('change', drawAll);
drawAll();

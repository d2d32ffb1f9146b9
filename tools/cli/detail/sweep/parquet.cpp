// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/sweep/parquet.h"

#include "tools/graphics/picture_file.h"

namespace hilda::cli {
namespace {

constexpr const char* script = R"PY(
import pathlib, sqlite3, sys
try:
    import pyarrow as pa, pyarrow.parquet as pq
except ImportError:
    sys.exit(7)
store = sqlite3.connect(pathlib.Path(sys.argv[1]).resolve().as_uri() + "?mode=ro", uri=True)
chosen = [r for r in store.execute("PRAGMA table_info(runs)") if r[1] not in ("base", "git", "hash")]
columns = ", ".join('"' + r[1].replace('"', '""') + '"' for r in chosen)
rows = store.execute("SELECT " + columns + " FROM runs ORDER BY run").fetchall()
kinds = {"REAL": pa.float64(), "INTEGER": pa.int64(), "TEXT": pa.string()}
arrays = [pa.array([row[i] for row in rows], type=kinds[r[2]]) for i, r in enumerate(chosen)]
pq.write_table(pa.Table.from_arrays(arrays, names=[r[1] for r in chosen]), sys.argv[2])
)PY";

} // namespace

bool export_parquet(const std::string& store, OutputFile& file, std::string& error) {
  const svg::Answer answer = svg::ask_program({"python3", "-c", script, store, file.part()}, "");
  if (answer.started && answer.status == 0) return true;
  constexpr int no_pyarrow = 7;
  error = !answer.started               ? "Parquet needs python3, which is not there"
          : answer.status == no_pyarrow ? "Parquet needs Python's pyarrow, which is not installed"
                                        : "Python could not write " + file.path();
  error += "\nhelp: install it, or export with --csv or --mat";
  return false;
}

} // namespace hilda::cli

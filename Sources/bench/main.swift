// main: the benchmarks.

BenchCommand.run()

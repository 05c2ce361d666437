import { firstPage, startUpMs } from './edge/cold-start.ts';
import { landing } from './edge/landing.ts';
import { memory } from './edge/memory.ts';
import { parallel } from './edge/parallel.ts';
import { posts } from './edge/posts.ts';
import { slowKv } from './edge/slow-kv.ts';
import { workerUpload } from './edge/upload.ts';
import { atLeast, atMost, printFigures } from './figures.ts';

/** Three digits; a noisy machine does not allow more. */
function rounded<Value>(value: Value): Value {
  const short = (_key: string, each: unknown) =>
    typeof each === 'number' ? Number(each.toPrecision(3)) : each;
  return JSON.parse(JSON.stringify(value, short));
}

const flat = (what: string, count: number) =>
  `memory over ${count.toLocaleString('en')} ${what}: last quarter, of the third`;

/**
 * The built Worker in workerd: its requests per second compared with a bare route, its memory, a slow KV, sign-ups
 * and purchases.
 * @param full makes all requests that the targets name, in about ten minutes
 */
export async function benchEdge(full: boolean) {
  const { bytes, startBytes } = workerUpload();
  const startUp = startUpMs(5);
  const cold = await firstPage(full ? 9 : 5);
  const bare = await landing(full ? 9 : 5, full ? 4000 : 2000);
  const experiments = await parallel(full ? 9 : 5, full ? 4000 : 2000);
  const kv = await slowKv(full ? 9 : 6, 2500, 2000);
  const postRates = await posts(full ? 512 : 96, [1, 4, 16, 64]);
  const pageMemory = await memory(full ? 200_000 : 80_000, full ? 10_000 : 4000);
  const parts = rounded({
    cold,
    landing: bare.table,
    loadTool: bare.loadTool,
    experiments,
    kv,
    posts: postRates,
    pageMemory,
  });
  for (const [name, part] of Object.entries(parts)) {
    process.stdout.write(`\n${name}\n`);
    console.table(part);
  }
  const { returning, new: fresh } = bare.table;
  const loads = [
    ...Object.values(bare.table),
    ...Object.values(experiments),
    kv.quick,
    kv.slow,
    pageMemory.requests,
    pageMemory.pages,
  ];
  const failures = loads.reduce((sum, each) => sum + each.failures, 0);
  const figures = [
    atMost('uploaded as the Worker, KB of gzip', bytes / 1024, 400),
    atMost('evaluated at start-up, KB of gzip', startBytes / 1024, 256),
    atMost('computed at start-up, ms', startUp, 25),
    atMost('first page of a cold isolate, of a warm one’s cache miss', cold.cold.ratio, 1.5),
    atMost(
      'the same, rendered by no other isolate of the data centre',
      cold['cold, rendered'].ratio,
      1.5,
    ),
    atMost('answers that are no 200', failures, 0),
    atLeast('returning: requests/s, of the bare route’s', returning.ratio, 0.75),
    atLeast('new: requests/s, of the bare route’s', fresh.ratio, 0.55),
    atMost('returning: p99, of the bare route’s', returning['p99 ratio'], 3),
    atMost('new: p99, of the bare route’s', fresh['p99 ratio'], 3),
    atLeast('ten experiments: requests/s, of those without any', experiments.ten.ratio, 0.95),
    atLeast(
      'ten experiments: share of cached pages, of that without any',
      experiments.ten.hits / experiments.none.hits,
      0.95,
    ),
    atMost('p99 with KV slow by 2 s, of that with a quick one', kv.slow['p99 ratio'], 1.05),
    atMost(flat('requests', pageMemory.requests.requests), pageMemory.requests.growth, 1.05),
    atMost(flat('pages', pageMemory.pages.rendered), pageMemory.pages.growth, 1.05),
    atLeast(
      'pages rendered, of those asked for',
      pageMemory.pages.rendered / pageMemory.pages.requests,
      1,
    ),
  ];
  printFigures(figures);
  return { figures, parts };
}

import { landing } from './edge/landing.ts';
import { memory } from './edge/memory.ts';
import { posts } from './edge/posts.ts';
import { slowKv } from './edge/slow-kv.ts';

/** Three places are what a noisy machine can tell. */
function rounded<Value>(value: Value): Value {
  const short = (_key: string, each: unknown) =>
    typeof each === 'number' ? Number(each.toPrecision(3)) : each;
  return JSON.parse(JSON.stringify(value, short));
}

/**
 * The built Worker in workerd: how many requests it answers, against a bare route; its memory; a slow
 * KV; sign-ups and orders.
 *
 * @param full all requests that the targets speak of, some ten minutes
 */
export async function benchEdge(full = false) {
  const { table, loadTool } = await landing(full ? 9 : 5, full ? 4000 : 2000);
  const figures = rounded({
    landing: table,
    loadTool,
    slowKv: await slowKv(full ? 9 : 4, full ? 5000 : 3000, 2000),
    posts: await posts(full ? 512 : 128, [1, 4, 16, 64]),
    memory: await memory(full ? 200_000 : 20_000, full ? 10_000 : 700),
  });
  for (const [name, part] of Object.entries(figures)) {
    process.stdout.write(`\n${name}\n`);
    console.table(part);
  }
  return figures;
}

import { setTimeout } from 'node:timers/promises';
import { visitors } from '../worker/faults/visitors.ts';
import { memoryOf } from './edge/process.ts';
import { atMost, printFigures } from './figure.ts';
import { growth } from './growth.ts';
import { type FaultyFunnel, openFaultyFunnel } from './soak/faulty-funnel.ts';
import { heapOf } from './soak/heap.ts';
import { ledgers } from './soak/ledgers.ts';

/** Between two visitors, in ms: as many come all the time, so that as many objects are awake. */
const pause = 400;
const samples = 40;
const paid = 699 + 799;

/** Each visitor has an address, a language and a clock. */
function visitorOf(site: string, number: number) {
  const timezone = Intl.supportedValuesOf('timeZone')[number % 400];
  const headers = {
    'cf-connecting-ip': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    'MF-CF-Blob': JSON.stringify({ country: 'US', timezone }),
  };
  return visitors(async (path, init) => {
    const all = { ...init, headers: { ...init.headers, ...headers } };
    const answer = await fetch(`${site}${path}`, all);
    return { status: answer.status, body: await answer.text() };
  });
}

/** Visitors who come and buy, until the time is over. @returns what they did together */
async function load(site: string, ms: number) {
  const end = performance.now() + ms;
  const sum = { visitors: 0, pages: 0, calls: 0, refused: 0, declined: 0 };
  const one = async (number: number) => {
    const { come, pay, counts } = visitorOf(site, number);
    await pay(number, (await come()).token);
    sum.visitors += 1;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) sum[name] += counts[name];
  };
  const visits: Promise<void>[] = [];
  while (performance.now() < end) {
    visits.push(one(visits.length));
    await setTimeout(pause);
  }
  await Promise.all(visits);
  return sum;
}

/** RSS of workerd and the heap of the funnel's isolate, in MB, at even steps. */
async function watch({ house }: FaultyFunnel, ms: number) {
  const inspector = await house.server.getInspectorURL();
  const seen = { process: [] as number[], heap: [] as number[] };
  for (let sample = 0; sample < samples; sample += 1) {
    await setTimeout(ms / samples);
    seen.heap.push(await heapOf(inspector));
    seen.process.push(memoryOf(house.pid));
  }
  return { 'heap of the isolate': growth(seen.heap), 'whole process': growth(seen.process) };
}

/**
 * Visitors of the built Worker in workerd, of whose calls to everything else 5 of 100 fail: what
 * memory does meanwhile, and whether the money is right at the end.
 *
 * @param full three minutes
 */
export async function benchSoak(full = false) {
  const ms = full ? 180_000 : 20_000;
  const funnel = await openFaultyFunnel();
  await funnel.fail(0.05);
  const [did, memory] = await Promise.all([load(funnel.site, ms), watch(funnel, ms)]);
  const faults = await funnel.fail(0);
  const money = await ledgers(funnel);
  await funnel.house.server.dispose();
  const parts = { did: { ...did, ...faults }, memory, money };
  for (const [name, part] of Object.entries(parts)) {
    process.stdout.write(`\n${name}\n`);
    console.table(part);
  }
  const figures = [
    atMost('money: objects, copies and banks that differ', money.same ? 0 : 1, 0),
    atMost('money: the ledger in D1, off the banks', Math.abs(money.copied - money.banks), 0),
    atMost('money: the banks, off what was sold', Math.abs(money.banks - did.visitors * paid), 0),
    atMost(
      'heap of the isolate: last quarter, of the third',
      memory['heap of the isolate'].growth,
      1.05,
    ),
    atMost(
      'memory of the process: last quarter, of the third',
      memory['whole process'].growth,
      1.05,
    ),
  ];
  printFigures(figures);
  return { figures, parts };
}

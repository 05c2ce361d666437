import { growth } from '../statistics.ts';
import { cookieOf } from './experiment.ts';
import { openFunnel } from './funnel.ts';
import { keyAt } from './keys.ts';
import { load } from './load.ts';
import { visit } from './phone.ts';
import { memoryOf } from './process.ts';

const notFound = async () => new Response('not found', { status: 502 });

/** A request for a page that no smaller number requests. */
function page(number: number): string {
  const { screen, arm, language, country } = keyAt(number);
  return visit(`/${screen}`, { cookie: cookieOf(arm), country, language });
}

const samples = 20;

/** RSS in MB after each twentieth of the requests. */
async function watch(requests: number, request: (number: number) => string) {
  const funnel = await openFunnel(notFound);
  const port = funnel.ports.funnel ?? 0;
  const memory: number[] = [];
  let failures = 0;
  let rendered = 0;
  for (let sample = 0; sample < samples; sample++) {
    const before = Math.round((requests / samples) * sample);
    const some = Math.round((requests / samples) * (sample + 1)) - before;
    const loaded = await load({ port, requests: some, request: (at) => request(before + at) });
    failures += loaded.failures;
    rendered += loaded.rendered;
    memory.push(memoryOf(funnel.pid));
  }
  await funnel.server.dispose();
  return { requests, rendered, ...growth(memory), failures };
}

/** Memory over many requests of few pages, and over many pages. */
export async function memory(requests: number, pages: number) {
  const fresh = visit('/one_pager');
  const kept = visit('/one_pager', { cookie: cookieOf(0) });
  return {
    requests: await watch(requests, (at) => (at % 4 === 0 ? fresh : kept)),
    pages: await watch(pages, page),
  };
}

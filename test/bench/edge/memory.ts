import { growth } from '../growth.ts';
import { cookieOf, openFunnel } from './funnel.ts';
import { load } from './load.ts';
import { visit } from './phone.ts';
import { memoryOf } from './process.ts';

const nobody = async () => new Response('nobody', { status: 502 });

const screens =
  'one_pager one_pager_all one_pager_ai one_pager_l1 one_pager_l2 searching searching_2 searching_ai signup signup_testim features checkout_v3_tr checkout_h3_pp checkout_v3_pp checkout_h3_pp_braintree paycheck1_pr5_h_win paycheck1_pr5_h_ai paycheck_combo_3d upsell_an_private upsell_guide success payment_declined'.split(
    ' ',
  );
const languages = 'ar de en es fr it ja ko nl pl pt-BR ru tr uk'.split(' ');
/** Of every market. */
const countries = ['US', 'DE', 'GB', 'BR', 'CA', 'JP', 'CH'];

/** The request of a page that no smaller number asked for: screen, arm, language and country. */
function page(number: number): string {
  const digit = (size: number, of: number) => Math.floor(number / of) % size;
  const country = countries[digit(countries.length, 1)] ?? 'US';
  const language = languages[digit(languages.length, countries.length)] ?? 'en';
  const arm = digit(5, countries.length * languages.length);
  const screen = screens[digit(screens.length, countries.length * languages.length * 5)];
  return visit(`/${screen}`, { cookie: cookieOf(arm), country, language });
}

const samples = 20;

/** RSS in MB after each twentieth of so many requests. */
async function watch(requests: number, request: (number: number) => string) {
  const funnel = await openFunnel(nobody);
  const port = funnel.ports.funnel ?? 0;
  const memory: number[] = [];
  let failures = 0;
  for (let sample = 0; sample < samples; sample++) {
    const before = Math.round((requests / samples) * sample);
    const some = Math.round((requests / samples) * (sample + 1)) - before;
    const loaded = await load({ port, requests: some, request: (at) => request(before + at) });
    failures += loaded.failures;
    memory.push(memoryOf(funnel.pid));
  }
  await funnel.server.dispose();
  return { requests, ...growth(memory), failures };
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

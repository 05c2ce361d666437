import type { Page } from 'playwright-core';
import type { Canary } from '../worker/canary/secrets.ts';
import { fieldsOf, type Trace } from '../worker/canary/trace.ts';
import { cards } from './pay.ts';
import type { TestServer } from './test-server.ts';
import { phones } from './walk-flow.ts';

/** Our own API calls that have form data in their bodies. */
const own = /\/api\/v1\/(?!events)|\/signup$|\/one_pager$/;

const ours = '127.0.0.1';

/** Records request URLs, Referers, and the bodies of external and event requests. */
export function watchRequests(page: Page): Trace[] {
  const traces: Trace[] = [];
  page.on('request', (request) => {
    const { pathname, hostname } = new URL(request.url());
    const to = hostname === ours ? 'us' : hostname;
    traces.push([`sent to ${to} url`, request.url()]);
    traces.push([`sent to ${to} referer`, request.headers().referer ?? '']);
    if (to !== 'us' || !own.test(pathname)) {
      traces.push([`sent to ${to} body`, request.postData() ?? '']);
    }
  });
  return traces;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Reads the page's storage and the islands' props. */
export async function collectTraces(page: Page): Promise<Trace[]> {
  const { props, ...shelves } = await page.evaluate(() => ({
    props: [...document.querySelectorAll('x-island')].map(
      (island) => (island.cloneNode(false) as Element).outerHTML,
    ),
    localStorage: Object.entries(localStorage),
    sessionStorage: Object.entries(sessionStorage),
  }));
  const cookies = await page.context().cookies();
  return [
    ...props.map((given): Trace => ['island', given]),
    ...cookies.map(({ name, value }): Trace => [`cookie ${name}`, value]),
    ...Object.entries(shelves).flatMap(([storageName, entries]) =>
      entries.flatMap(([key, text]) => [
        [`${storageName} key`, key] as Trace,
        ...fieldsOf(`${storageName} ${key}`, parsed(text)),
      ]),
    ),
  ];
}

/** Positions in the server's sent requests and log lines; journeys of one worker share the server. */
export const positionOf = ({ sent, lines }: TestServer) => ({
  sent: sent.length,
  lines: lines.length,
});

/** The server's outgoing requests and log lines since `start`. */
export const outputSince = (
  { sent, lines }: TestServer,
  start: ReturnType<typeof positionOf>,
): Trace[] => [
  ...sent.slice(start.sent).flatMap(({ url, body }): Trace[] => {
    const { hostname } = new URL(url);
    return [
      [`sent ${hostname} url`, url],
      [`sent ${hostname} body`, body],
    ];
  }),
  ...lines.slice(start.lines).map((line): Trace => ['log', line]),
];

/** The personal data of the test visitors. */
export const canariesOf = (email: string, tokens: Record<string, string>): Canary[] => [
  { kind: 'email', written: [email] },
  { kind: 'phone', written: ['+12125550100', phones.good, phones.abroad], parts: ['2125550100'] },
  { kind: 'card', written: [cards.approved, cards.approved.replaceAll(' ', '')] },
  ...Object.entries(tokens).map(([kind, token]) => ({ kind, written: [token] })),
];

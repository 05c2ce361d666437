import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../local-port.ts';
import { allPages } from './all-pages.ts';
import { full, journey } from './run-journey.ts';
import { reachStage } from './visitor-stage.ts';
import { waitUntilStable } from './wait-until-stable.ts';

/** Longer than a frame, so that the browser paints what has arrived. */
const betweenMs = 25;

/** What arrives at once: a tag with the text before it, or an element that is not laid out in parts. */
const pieces = /[^<]*<(head|p|script|select|svg)\b[^>]*>.*?<\/\1>|[^<]*<[^>]*>/gs;

/** A document piece by piece, while the reader waits for it. */
async function* inPieces(html: string) {
  for (const [piece] of html.matchAll(pieces)) {
    yield piece;
    await pause(betweenMs);
  }
}

const withoutHeaders = (headers: IncomingHttpHeaders, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

async function forward(url: string, request: IncomingMessage, reply: ServerResponse) {
  const response = await fetch(url + request.url, {
    method: request.method,
    headers: withoutHeaders(
      request.headers,
      'host',
      'connection',
      'accept-encoding',
    ) as HeadersInit,
    body: request.method === 'POST' ? await buffer(request) : undefined,
    redirect: 'manual',
  });
  const received = Object.fromEntries(response.headers);
  const kept = withoutHeaders(received, 'content-encoding', 'content-length');
  reply.writeHead(response.status, { ...kept, 'set-cookie': response.headers.getSetCookie() });
  if (received['content-type']?.startsWith('text/html')) {
    Readable.from(inPieces(await response.text())).pipe(reply);
  } else reply.end(Buffer.from(await response.arrayBuffer()));
}

/** A server before another one that sends its documents piece by piece. */
async function openSlowServer(url: string) {
  const server = createServer((request, reply) => {
    // A document that is not sent fails the navigation; a late report of events may go unanswered.
    forward(url, request, reply).catch(() => reply.destroy());
  });
  return listen(server);
}

/** The last begins with a loading screen. */
const sampled = ['one_pager', 'mailed-link-unknown'];
const checked = allPages.filter(({ name, press }) => !press && (full || sampled.includes(name)));
const cases = checked.flatMap((shot) =>
  (full ? ['en', 'de', 'ar'] : ['en']).map((language) => [shot.name, language, shot] as const),
);

journey.for(cases)(
  'slow document: %s in %s does not shift while it arrives piece by piece',
  async ([, language, { path, stage }], { another, server, onTestFinished }) => {
    const slow = await openSlowServer(server.url);
    onTestFinished(slow.close);
    const visitor = await another();
    visitor.expects(/nowhere/, 404);
    visitor.expects(/users\/me\/guide$/, 403);
    visitor.expects(/sign-in-link|deeplink/, 404);
    visitor.page.setDefaultNavigationTimeout(120_000);
    await reachStage(stage, visitor, server);
    const [page, code] = path.split('#');
    await visitor.page.goto(`${slow.url}${page}?custom_lng=${language}${code ? `#${code}` : ''}`);
    await waitUntilStable(visitor.page);
  },
);

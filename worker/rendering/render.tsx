import { build } from 'virtual:client';
import type { Context } from 'hono';
import type { ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { pixelSettings } from '../analytics/pixel-settings.ts';
import { encodeServedAt, fingerprintClaims } from '../catalog/checkout-terms-version.ts';
import { offerStamp } from '../catalog/offer-stamp.ts';
import { renewalDay } from '../catalog/renewal-date.ts';
import { type PlaceholderValues, placeholderFiller } from '../content/page-placeholders.ts';
import { type App, isProduction } from '../env.ts';
import { familiesOf, shownOffer } from '../experiments/rules/shown-offer.ts';
import { pageHeaders, securityHeaders } from '../http/security-headers.ts';
import { signingSecret } from '../http/signing-secret.ts';
import { helplineOf } from '../invitations/rules/helplines.ts';
import { pageKind } from '../page-kind.ts';
import type { Page } from '../page-types.ts';
import { countryOf } from '../visitor/country-facts.ts';
import { CachedPage } from './cached-page.ts';
import { PageCache } from './page-cache.ts';

/** 32 MB at most: a quarter of an isolate's memory. */
const cache = new PageCache<CachedPage>(32_000_000);

/** Where the browser draws what is one person's: the way back must not show it to the next. */
const personal = new Set([
  'success',
  'invited',
  'manage',
  'cancel',
  'guide',
  'mail_link',
  'open_app',
]);

/** What the page of a screen depends on, and nothing else: it is known before anything is made. */
function keyOf(c: Context<App>, screen: string, content: string): string {
  const { language, market, theme } = c.get('visitor');
  const { configuration, flowName, arm } = c.get('assignment');
  const versions = [build, configuration.version, content];
  const test = !isProduction(c.env);
  return [...versions, screen, flowName, arm, language, market.id, theme, test].join('|');
}

/** Keeps what flows through, and hands it over when all of it went well. */
function keep(done: (html: string) => void): TransformStream<string, string> {
  let html = '';
  return new TransformStream({
    transform(chunk, controller) {
      html += chunk;
      controller.enqueue(chunk);
    },
    flush: () => done(html),
  });
}

/** What the visitor's country and clock say. */
function valuesFor(c: Context<App>, screen: string): PlaceholderValues {
  const { country, language, timeZone, market } = c.get('visitor');
  const { code, name, callingCode: calling, exampleNumber: example } = countryOf(country, language);
  const help = helplineOf(country);
  const line = { w: help?.name ?? '', h: help?.number ?? '', t: help?.dial ?? '' };
  const now = Date.now();
  const clock = { s: encodeServedAt(now), z: timeZone };
  const known: Record<string, string> = {
    c: code,
    n: name,
    d: calling,
    e: example,
    ...line,
    ...clock,
  };
  const stamp = () => {
    const families = familiesOf(shownOffer(screen, c.get('assignment')));
    return offerStamp(
      signingSecret(c.env),
      fingerprintClaims({ language, market, families }, clock.s, clock.z),
    );
  };
  return (letter) =>
    letter === 'o' ? stamp() : (known[letter] ?? renewalDay(letter, now, language, timeZone));
}

/**
 * Answers a page: from memory when it was rendered before, else streamed from React.
 *
 * @param element makes the page, where it must be made
 * @param answer `kept: false` for a page that holds more than its key tells; `content`: version of the
 *   texts from outside
 */
export async function render(
  c: Context<App>,
  screen: Page['screen'],
  element: () => ReactElement,
  { status = 200, kept: mayKeep = true, content = '' } = {},
): Promise<Response> {
  const start = performance.now();
  const visitor = c.get('visitor');
  const shown = Boolean(c.get('preview')?.arm);
  const keeps = mayKeep && !shown;
  const key = keyOf(c, screen, content);
  const kept = keeps ? cache.get(key) : undefined;
  const values = valuesFor(c, screen);
  const body =
    kept === undefined
      ? await stream(c, element(), values, (html) => keeps && cache.set(key, new CachedPage(html)))
      : kept.fill(values);
  const hit = kept === undefined ? 'miss' : 'hit';
  c.set('page', { screen, cache: hit });
  const kind = pageKind(screen);
  return new Response(body, {
    status,
    headers: {
      ...securityHeaders,
      ...pageHeaders(kind, Boolean(c.env.VENDORS), pixelSettings(c.env)),
      'content-type': 'text/html; charset=utf-8',
      'content-language': visitor.language,
      'cache-control': shown || personal.has(screen) ? 'no-store' : 'private, no-cache',
      'server-timing': `render;dur=${(performance.now() - start).toFixed(1)}, cache;desc=${hit}`,
    },
  });
}

async function stream(
  c: Context<App>,
  element: ReactElement,
  values: PlaceholderValues,
  done: (html: string) => void,
): Promise<ReadableStream> {
  let failed = false;
  const html = await renderToReadableStream(element, {
    onError(error) {
      failed = true;
      const reason = error instanceof Error ? error.name : 'thrown';
      c.var.log('error', 'render_failed', { reason });
    },
  });
  return html
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(keep((whole) => !failed && done(whole)))
    .pipeThrough(placeholderFiller(values))
    .pipeThrough(new TextEncoderStream());
}

import { build } from 'virtual:client';
import type { Context } from 'hono';
import type { ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { countryOf } from './country.ts';
import type { App } from './env.ts';
import { helpLineOf } from './funnel/help-lines.ts';
import type { Page } from './funnel/page.ts';
import { PageCache } from './page-cache.ts';
import { pixelSettings } from './pixel-settings.ts';
import { policyOf, privateHeaders } from './policy.ts';
import { renewalDay } from './renewals.ts';
import { servedAt } from './terms-shown.ts';
import { fillTokens, tokenFiller, type Values } from './tokens.ts';

/** 16 million characters, 32 MB at most: a quarter of an isolate's memory. */
const cache = new PageCache(16_000_000);

/** What a page depends on, and nothing else. */
function keyOf(page: Page, ...versions: string[]): string {
  const { screen, path, flow, arm, language, market, theme, test } = page;
  return [build, ...versions, screen, path, flow, arm, language, market.id, theme, test].join('|');
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
function valuesFor(c: Context<App>, language: string): Values {
  const { country, timeZone } = c.var.visitor;
  const { code, name, calling, example } = countryOf(country, language);
  const help = helpLineOf(country);
  const line = { w: help?.name ?? '', h: help?.number ?? '', t: help?.dial ?? '' };
  const now = Date.now();
  const clock = { s: servedAt(now), z: timeZone };
  const known: Record<string, string> = {
    c: code,
    n: name,
    d: calling,
    e: example,
    ...line,
    ...clock,
  };
  return (letter) => known[letter] ?? renewalDay(letter, now, language, timeZone);
}

/**
 * Answers a page: from memory when it was rendered before, else streamed from React.
 *
 * @param answer `kept: false` for a page that holds more than `page` tells; `content`: version of the
 *   texts from outside
 */
export async function render(
  c: Context<App>,
  page: Page,
  element: () => ReactElement,
  { status = 200, kept: keeps = true, content = '' } = {},
): Promise<Response> {
  const start = performance.now();
  const values = valuesFor(c, page.language);
  const key = keyOf(page, c.var.assignment.configuration.version, content);
  const kept = keeps ? cache.get(key) : undefined;
  const body =
    kept === undefined
      ? await stream(c, element(), values, (html) => keeps && cache.set(key, html))
      : fillTokens(kept, values);
  const hit = kept === undefined ? 'miss' : 'hit';
  c.set('page', { screen: page.screen, cache: hit });
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': page.language,
      'cache-control': page.preview ? 'no-store' : 'private, no-cache',
      'content-security-policy': policyOf(page.kind, page.vendors !== '', pixelSettings(c.env)),
      ...(page.kind === 'private' ? privateHeaders : {}),
      'server-timing': `render;dur=${(performance.now() - start).toFixed(1)}, cache;desc=${hit}`,
    },
  });
}

async function stream(
  c: Context<App>,
  element: ReactElement,
  values: Values,
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
    .pipeThrough(tokenFiller(values))
    .pipeThrough(new TextEncoderStream());
}

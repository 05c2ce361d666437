import type { Context } from 'hono';
import type { ReactElement } from 'react';
import { renderToReadableStream } from 'react-dom/server.edge';
import { placeholderFiller } from '../content/page-placeholders.ts';
import type { App } from '../platform/env.ts';
import { reasonOf } from '../platform/log.ts';
import type { Renderer } from './serve-page.ts';

/** Passes chunks on and calls back with the whole HTML at the end of a complete stream. */
function collect(onComplete: (html: string) => void): TransformStream<string, string> {
  let html = '';
  return new TransformStream({
    transform(chunk, controller) {
      html += chunk;
      controller.enqueue(chunk);
    },
    flush: () => onComplete(html),
  });
}

/** Props in single quotes, in which JSON's own need no entities of six characters each. React has escaped theirs. */
const withCompactProps = (html: string) =>
  html.replace(
    / props="([^"]*)"/g,
    (_all, json: string) => ` props='${json.replaceAll('&quot;', '"')}'`,
  );

/** @param withCss completes a piece of HTML with the CSS that `page` uses, or while it streams with all of its kind's */
export const renderer =
  (
    c: Context<App>,
    element: ReactElement,
    withCss: (piece: string, page?: string) => string,
  ): Renderer =>
  async (values, store) => {
    let failed = false;
    const html = await renderToReadableStream(element, {
      onError(error) {
        failed = true;
        const reason = reasonOf(error);
        c.var.log('error', 'render_failed', { reason });
      },
    });
    const insertCss = new TransformStream<string, string>({
      transform: (chunk, controller) => controller.enqueue(withCss(chunk)),
    });
    return html
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(collect((whole) => !failed && store(withCompactProps(withCss(whole, whole)))))
      .pipeThrough(insertCss)
      .pipeThrough(placeholderFiller(values))
      .pipeThrough(new TextEncoderStream());
  };

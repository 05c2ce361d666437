import type { Sandbox } from '../call.ts';
import { Invalid, NotFound } from '../errors.ts';
import { routeOf } from './routes.ts';
import { document } from './xml.ts';

const xml = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'application/xml; charset=utf-8' } });

const refusal = ({ code, field, message, of }: Invalid) =>
  document('api-error-response', {
    errors: {
      errors: { item: 'error', list: [] },
      [of]: {
        errors: { item: 'error', list: [{ code, attribute: field.replaceAll('-', '_'), message }] },
      },
    },
    message,
  });

/** Answers one call of the REST interface. @param path after `/merchants/:merchant` */
export async function answerRest(
  sandbox: Sandbox,
  path: string,
  request: Request,
): Promise<Response> {
  const route = routeOf(request.method, path);
  if (!route) return new Response(`no call ${request.method} ${path}`, { status: 501 });
  const text = await request.text();
  try {
    const body = text && text !== 'null' ? JSON.parse(text) : {};
    const [element, fields] = route.handler(sandbox, route.id, body);
    return xml(request.method === 'POST' ? 201 : 200, document(element, fields));
  } catch (error) {
    if (error instanceof NotFound) return xml(404, '');
    if (error instanceof Invalid) return xml(422, refusal(error));
    return new Response(error instanceof Error ? error.message : 'error', { status: 500 });
  }
}

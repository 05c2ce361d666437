import { Hono } from 'hono';

/** What a page is compared with: the same framework, a text that is always the same. */
export default new Hono<{ Bindings: { PAGE: string } }>().get('/:screen', (c) =>
  c.html(c.env.PAGE),
);

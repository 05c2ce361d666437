import { Hono } from 'hono';

/** The baseline for a page: the same framework with a constant text. */
export default new Hono<{ Bindings: { PAGE: string } }>().get('/:screen', (c) =>
  c.html(c.env.PAGE),
);

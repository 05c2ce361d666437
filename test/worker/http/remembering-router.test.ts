import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { RememberingRouter } from '../../../worker/http/remembering-router.ts';

const app = new Hono({ router: new RememberingRouter() })
  .use('/a/*', async (c, next) => {
    await next();
    c.header('x-passed', 'yes');
  })
  .get('/a', (c) => c.text('a itself'))
  .get('/a/:id', (c) => c.text(`a ${c.req.param('id')}`))
  .get('/:screen', (c) => c.text(`screen ${c.req.param('screen')}`))
  .post('/:screen', (c) => c.text(`posted ${c.req.param('screen')}`));

const request = async (path: string, method = 'GET') => {
  const response = await app.request(path, { method });
  return [response.status, await response.text(), response.headers.get('x-passed')];
};

test('router: a path leads to the same handlers and parameters again', async () => {
  for (const _ of [1, 2]) {
    expect(await request('/intro')).toEqual([200, 'screen intro', null]);
    expect(await request('/intro', 'POST')).toEqual([200, 'posted intro', null]);
    expect(await request('/a')).toEqual([200, 'a itself', 'yes']);
    expect(await request('/a/1')).toEqual([200, 'a 1', 'yes']);
    expect(await request('/a/2')).toEqual([200, 'a 2', 'yes']);
    expect(await request('/a/2/3')).toEqual([404, '404 Not Found', 'yes']);
  }
});

test('router: more paths than its cache holds do not change the result', async () => {
  for (let at = 0; at < 1200; at += 1) await request(`/screen-${at}`);
  expect(await request('/screen-0')).toEqual([200, 'screen screen-0', null]);
  expect(await request('/screen-1199')).toEqual([200, 'screen screen-1199', null]);
});

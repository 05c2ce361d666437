import { expect, it, vi } from 'vitest';
import { reportError } from '../../../../islands/runtime/tracking/report-error.ts';
import { documentWith, element, openPage } from '../../dom.ts';

/** Reports on a page of this kind; returns the beacon's URL and body. */
async function report(kind: string) {
  openPage(documentWith(element('main', { 'data-screen': 'signup', 'data-kind': kind })));
  const sendBeacon = vi.fn((_address: string, _body: Blob) => true);
  vi.stubGlobal('navigator', { sendBeacon });
  reportError('chunk_failed', { type: 'timeout' });
  reportError('chunk_failed', { type: 'timeout' });
  return Promise.all(
    sendBeacon.mock.calls.map(async ([address, body]) => {
      const { events } = JSON.parse(await body.text());
      return { address, type: body.type, event: events[0], count: events.length };
    }),
  );
}

it('error report: is sent at once, with the screen and an id of its own', async () => {
  const [first, second] = await report('ordinary');
  expect(first).toEqual({
    address: '/api/v1/events',
    type: 'application/json',
    event: {
      id: expect.stringMatching(/^0\.\d+/),
      name: 'chunk_failed',
      properties: { type: 'timeout', screen_name: 'signup' },
    },
    count: 1,
  });
  expect(second?.event.id).not.toBe(first?.event.id);
});

it('error report: a private page reports nothing', async () => {
  expect(await report('private')).toEqual([]);
});

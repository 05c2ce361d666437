import { expect, it, vi } from 'vitest';
import { openDialog } from '../../islands/app-handoff.tsx';
import { deliverTo } from '../../islands/runtime/tracking/track.ts';
import { fakeBrowser } from './browser.ts';

it('success popup: the event is sent when the popup opens, and not again while it is open', () => {
  fakeBrowser({ main: { screen: 'success' } });
  const sent: string[] = [];
  deliverTo(({ name }) => sent.push(name));
  const dialog = { open: false, showModal: vi.fn(() => Object.assign(dialog, { open: true })) };
  openDialog(null);
  expect(sent).toEqual([]);
  openDialog(dialog as never);
  openDialog(dialog as never);
  expect(sent).toEqual(['payment_successful_popup']);
});

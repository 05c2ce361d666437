import type { StoredEvent } from '../../../worker/analytics/rules/stored-event.ts';
import type { VisitorId } from '../../../worker/platform/types.ts';

/** An event as enriched by the edge. */
export const storedEvent = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  id: crypto.randomUUID(),
  name: 'click',
  at: Date.now(),
  visitor: '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f' as VisitorId,
  session: 's1',
  screen: 'one_pager',
  flow: 'default',
  experiment: '',
  arm: 'fullPrice',
  arms: '',
  country: 'US',
  language: 'en',
  device: 'ios',
  source: '',
  landing: 'one_pager',
  version: 'v1',
  consent: 'ads',
  properties: { target: 'continue-button' },
  ...more,
});

import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { eventSchema } from '../../../../worker/analytics/rules/stored-event.ts';

const event = {
  ...{ id: 'e1', name: 'screen_view', at: 1, visitor: 'v1', session: 's1', screen: 'landing' },
  ...{ flow: 'main', arm: 'fullPrice', country: 'DE', language: 'de', consent: 'ads' },
  properties: {},
};

test.each(['id', 'visitor', 'screen', 'source'])(
  'stored events: a %s has at most 160 characters',
  (field) => {
    const fits = (length: number) =>
      safeParse(eventSchema, { ...event, [field]: 'x'.repeat(length) }).success;
    expect([fits(160), fits(161)]).toEqual([true, false]);
  },
);

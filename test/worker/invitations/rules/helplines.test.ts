import { expect, it } from 'vitest';
import { helplineOf } from '../../../../worker/invitations/rules/helplines.ts';

it('helplines: have the number as printed and as dialled', () => {
  expect(helplineOf('US')).toEqual({
    name: 'National Domestic Violence Hotline',
    number: '1-800-799-7233',
    dial: '18007997233',
    emergency: '911',
  });
  expect(helplineOf('DE')).toMatchObject({ number: '116 016', dial: '116016' });
});

it.each(['XX', '', 'constructor'])('helplines: %j has none', (country) => {
  expect(helplineOf(country)).toBeNull();
});

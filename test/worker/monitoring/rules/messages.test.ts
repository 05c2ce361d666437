import { expect, test } from 'vitest';
import type { Incident } from '../../../../worker/monitoring/rules/incidents.ts';
import {
  alarmText,
  isQuietAt,
  phaseDue,
  slackMessage,
} from '../../../../worker/monitoring/rules/messages.ts';

const at = (hour: number) => Date.UTC(2026, 0, 15, hour, 30);

test.each([
  ['22-7', 23, true],
  ['22-7', 6, true],
  ['22-7', 7, false],
  ['9-17', 12, true],
  ['9-17', 17, false],
  ['22-7 Europe/Berlin', 21, true],
  ['22-7 Europe/Berlin', 6, false],
  ['22-7 Nowhere/City', 23, false],
  ['7-7', 7, false],
  ['25-7', 23, false],
  ['never', 0, false],
  ['', 23, false],
])('messages: quiet hours %j at %i:30 UTC: %s', (hours, hour, isQuiet) => {
  expect(isQuietAt(hours, at(hour))).toBe(isQuiet);
});

const incident = (change: Partial<Incident> = {}): Incident => ({
  id: 'sms@10',
  area: 'sms',
  kind: 'sms_refused',
  segment: '',
  detail: '9 of 10 in 5 minutes (90 %), usually 1 %',
  also: [],
  startedAt: 5,
  openedAt: 10,
  seenAt: 10,
  widenedAt: null,
  clearedAt: null,
  partOf: null,
  sent: [],
  ...change,
});

const unsnoozed = { isQuiet: false, snoozedUntil: {} };

test('messages: each channel gets an alarm once, then its widening, then its all-clear', () => {
  expect(phaseDue(incident(), 'webhook', 11, unsnoozed)).toBe('opened');
  const webhookSent = { sent: ['webhook:opened'] };
  expect(phaseDue(incident(webhookSent), 'webhook', 12, unsnoozed)).toBeNull();
  expect(phaseDue(incident(webhookSent), 'email', 12, unsnoozed)).toBe('opened');
  expect(phaseDue(incident({ ...webhookSent, widenedAt: 12 }), 'webhook', 12, unsnoozed)).toBe(
    'widened',
  );
  expect(phaseDue(incident({ ...webhookSent, clearedAt: 30 }), 'webhook', 30, unsnoozed)).toBe(
    'cleared',
  );
  const over = { sent: ['webhook:opened', 'webhook:cleared'], clearedAt: 30 };
  expect(phaseDue(incident(over), 'webhook', 31, unsnoozed)).toBeNull();
});

test('messages: an incident that opened and cleared during a snooze, or belongs to another, is not sent', () => {
  expect(phaseDue(incident({ clearedAt: 30 }), 'webhook', 30, unsnoozed)).toBeNull();
  expect(phaseDue(incident({ partOf: 'pages@9' }), 'webhook', 30, unsnoozed)).toBeNull();
  expect(phaseDue(incident({ openedAt: null }), 'webhook', 30, unsnoozed)).toBeNull();
});

test('messages: a snooze holds back its area, quiet hours hold back alarms that can wait', () => {
  const snoozed = { isQuiet: false, snoozedUntil: { sms: 20 } };
  expect(phaseDue(incident(), 'webhook', 19, snoozed)).toBeNull();
  expect(phaseDue(incident(), 'webhook', 20, snoozed)).toBe('opened');
  const quiet = { isQuiet: true, snoozedUntil: {} };
  expect(phaseDue(incident(), 'webhook', 11, quiet)).toBeNull();
  expect(phaseDue(incident({ kind: 'purchases_stopped' }), 'webhook', 11, quiet)).toBe('opened');
});

test('messages: contain the finding, its start, its size, what to check and how to snooze', () => {
  const text = alarmText(
    incident({ segment: 'country DE', also: ['email_refused'] }),
    'opened',
    'funnel.example',
  );
  expect(text.split('\n')).toEqual([
    'ALARM: SMS are refused or fail (country DE)',
    'Since 1970-01-01T00:05Z',
    '9 of 10 in 5 minutes (90 %), usually 1 %',
    'Check first: Twilio’s console: balance, sender registration, country permissions.',
    'Seen with it: E-mails are refused or fail',
    'funnel.example · area sms · npm run ops -- alarms --snooze sms --hours 4 --reason known',
  ]);
  expect(alarmText(incident(), 'opened', 'funnel.example')).not.toContain('Seen with it');
  expect(alarmText(incident({ clearedAt: 65 }), 'cleared', 'funnel.example')).toContain(
    'All clear: SMS are refused or fail\nFrom 1970-01-01T00:05Z to 1970-01-01T01:05Z',
  );
});

test('messages: Slack markup in a detail is escaped', () => {
  const { text, blocks } = slackMessage('ALARM: <!channel> & *all*\nmore');
  expect(text).toBe('ALARM: &lt;!channel&gt; &amp; *all*\nmore');
  expect(blocks[0]?.text.text).toBe('*ALARM: &lt;!channel&gt; &amp; *all**\nmore');
});

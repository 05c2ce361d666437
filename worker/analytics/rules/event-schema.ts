import { cancelOffers, cancelReasons } from '../../catalog/rules/cancel-offers.ts';
import { containsPersonalData, isIdentifier } from '../../http/rules/personal-data-detector.ts';
import { isOneOf, typedKeys } from '../../platform/keys.ts';

export const relations = ['child', 'parent', 'partner', 'friend'] as const;
export const matters = ['arrival', 'meeting', 'outing', 'everyday'] as const;
export type Relation = (typeof relations)[number];
export type Matter = (typeof matters)[number];

type Check<Value> = (value: unknown) => value is Value;

const matching =
  (test: (text: string) => boolean): Check<string> =>
  (value): value is string =>
    typeof value === 'string' && test(value);

/** No kind can contain an e-mail address or phone number. An `id` is random or a provider's. */
const kinds = {
  word: matching((text) => /^[\w./:-]{1,128}$/.test(text) && !/\d{7}/.test(text)),
  campaign: matching((text) => /^[\w./:|~-]{1,128}$/.test(text) && !containsPersonalData(text)),
  id: matching((text) => /^[\w-]{1,128}$/.test(text) && isIdentifier(text)),
  number: (value: unknown): value is number => Number.isFinite(value),
  relation: isOneOf(relations),
  matter: isOneOf(matters),
  cancel_reason: isOneOf(cancelReasons),
  cancel_offer: isOneOf(cancelOffers),
};

type Kind = keyof typeof kinds;
type Shape = Readonly<Record<string, Kind>>;
type Value<Of extends Kind> = Of extends 'number' ? number : string;

/** @param when the moment at which the browser sends the event */
const on = <Properties extends Shape>(when: string, properties: Properties) => ({
  when,
  properties,
});

const target = { target: 'word' } as const;
const purchase = {
  plan: 'word',
  price: 'number',
  currency: 'word',
  sub_id: 'id',
  event_id: 'id',
} as const;
const order = { plan: 'word', gateway: 'word' } as const;
const refusal = { ...order, decline_code: 'word' } as const;

const vitalsSent =
  'a screen is left or first hidden; one that was swapped in has `cls` and `inp`. Apart from that, a tap has brought the next screen: `tap_to_screen` is ms from the tap to its paint, `before_react` is 1 if what was tapped was not hydrated yet';

export const events = {
  session_start: on('the first event of a visit; 30 minutes of silence end one', {
    utm_source: 'campaign',
    utm_medium: 'campaign',
    utm_campaign: 'campaign',
    utm_term: 'campaign',
    utm_content: 'campaign',
  }),
  onboarding_start: on('the first landing screen is seen, once a visit', {}),
  flow_entry: on('a screen is seen whose path begins the flow’s name, once a visitor and flow', {
    flow: 'word',
  }),
  load: on('a document is loaded', {}),
  screen__load: on('a screen is shown', {}),
  click: on('anything is pressed', target),
  button__continue: on('Continue is pressed; seconds since the screen was shown', {
    seconds: 'number',
  }),
  button__scroll: on('the first scroll on a screen', {}),
  link__redirect: on('a link that leads out is followed', { host: 'word' }),
  option__redirect: on('an option is chosen', { option: 'word' }),
  questions_answered: on('the questions are left with an answer: whom it is about, what matters', {
    who: 'relation',
    matters: 'matter',
  }),
  lead: on('sign-up succeeded', { method: 'word' }),
  checkout_screen_load: on('the checkout is shown, once a visit', {}),
  subs_purchase_show: on('the plans are first visible, once a visit', {}),
  subs_purchase_started: on('pay is pressed', order),
  processing_started: on('the result is first asked for', order),
  subs_purchase_completed: on('the purchase succeeded', purchase),
  payment_successful_popup: on('the popup of a success opens', {}),
  subs_purchase_failed: on('any failure; decline code or the processor’s words', refusal),
  subs_purchase_screen_close: on(
    'the checkout is left without a purchase, and not shown again within 90 seconds',
    {},
  ),
  upsell_purchase_completed: on('an upsell succeeded', purchase),
  cancel_reason_given: on('a cancellation goes on with a reason', { reason: 'cancel_reason' }),
  cancel_offer_shown: on('something else is offered before a cancellation', {
    reason: 'cancel_reason',
    offer: 'cancel_offer',
  }),
  cancel_offer_accepted: on('what was offered is pressed', {
    reason: 'cancel_reason',
    offer: 'cancel_offer',
  }),
  card_form_shown: on('the card form is opened', {}),
  input_refused: on('a field is marked as wrong; its name, never its value', { field: 'word' }),
  chunk_failed: on('a script did not load', {}),
  island_failed: on('an island fell back to its HTML or shows its error', {}),
  phone_format_failed: on('a number is typed without grouping', {}),
  web_vitals: on(vitalsSent, {
    lcp: 'number',
    fcp: 'number',
    inp: 'number',
    ttfb: 'number',
    cls: 'number',
    tap_to_screen: 'number',
    before_react: 'number',
  }),
} as const satisfies Record<string, { when: string; properties: Shape }>;

type Table = typeof events;

type OfScreen = `${string}__load` | `${string}__click`;
export type EventName = keyof Table | OfScreen;

type PropertiesOf<Of extends Shape> = { -readonly [Key in keyof Of]?: Value<Of[Key]> };

export type EventProperties<Name extends EventName> = Name extends keyof Table
  ? PropertiesOf<Table[Name]['properties']>
  : Name extends `${string}__click`
    ? { target?: string }
    : object;

const isTableName = isOneOf(typedKeys(events));

function shapeOf(name: string): Shape | null {
  if (isTableName(name)) return events[name].properties;
  if (/^[a-z][\w-]{1,60}__load$/.test(name)) return {};
  return /^[a-z][\w-]{1,60}__click$/.test(name) ? target : null;
}

export function readProperties(
  name: string,
  received: Readonly<Record<string, unknown>>,
): Record<string, string | number> | null {
  const shape = shapeOf(name);
  if (!shape) return null;
  const known = Object.entries({ ...shape, screen_name: 'word' as const });
  return Object.fromEntries(
    known.flatMap(([key, kind]) => {
      const isValid: Check<string | number> = kinds[kind];
      const value = Object.hasOwn(received, key) ? received[key] : undefined;
      return isValid(value) ? [[key, value]] : [];
    }),
  );
}

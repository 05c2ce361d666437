import { request } from './api.ts';
import { expiryOf, finalError, judge } from './formats.ts';
import type { AmongFields, FieldSetup, FieldType } from './messages.ts';

const PATIENCE = 1_000;

/** Asks the sibling fields for their texts; those that never answer are not on the page. */
function collect(channel: BroadcastChannel): Promise<Partial<Record<FieldType, string>>> {
  return new Promise((done) => {
    const texts: Partial<Record<FieldType, string>> = {};
    const finish = () => {
      clearTimeout(timer);
      channel.removeEventListener('message', hear);
      done(texts);
    };
    const hear = ({ data }: MessageEvent<AmongFields>) => {
      if (data.kind !== 'collected') return;
      texts[data.type] = data.text;
      if (texts.cardExpiry !== undefined && texts.cardCvc !== undefined) finish();
    };
    const timer = setTimeout(finish, PATIENCE);
    channel.addEventListener('message', hear);
    channel.postMessage({ kind: 'collect' } satisfies AmongFields);
  });
}

/** The card of the three fields as a payment method; the only place from which a number is sent. */
export async function createMethod(
  { key, api }: FieldSetup,
  number: string,
  details: object,
  channel: BroadcastChannel,
): Promise<object> {
  const { cardExpiry = '', cardCvc } = await collect(channel);
  const brand = judge('cardNumber', number, 'unknown').brand ?? 'unknown';
  const errors = [
    finalError('cardExpiry', judge('cardExpiry', cardExpiry, brand)),
    cardCvc === undefined ? undefined : finalError('cardCvc', judge('cardCvc', cardCvc, brand)),
  ];
  const error = errors.find(Boolean);
  if (error) return { error };
  const { month, year } = expiryOf(cardExpiry);
  const card = {
    number: number.replaceAll(' ', ''),
    exp_month: month,
    exp_year: year,
    ...(cardCvc ? { cvc: cardCvc } : {}),
  };
  const made = await request(api, key, 'POST', '/payment_methods', {
    ...details,
    type: 'card',
    card,
  });
  return made.error ? made : { paymentMethod: made.object };
}

import type { Client, HostedFields } from 'braintree-web';
import {
  CardError,
  type CardField,
  type CardWords,
  ConnectionError,
  cardFields,
} from '../payment-provider.ts';
import { braintreeModule } from './load-modules.ts';

const keys = { number: 'number', expiry: 'expirationDate', cvc: 'cvv' } as const;
const fieldOfKey = (key: string) => cardFields.find((field) => keys[field] === key);

const boxHeight = '48px';

/** Styles from our tokens, copied because the frames cannot read them. */
function fieldStyles() {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    input: {
      color: token('--ink'),
      'font-size': '17px',
      'line-height': '24px',
      'font-family': '-apple-system, Segoe UI, Roboto, Arial, sans-serif',
    },
    '.invalid': { color: token('--danger') },
    '::placeholder': { color: token('--ink-soft') },
  };
}

export async function mountFields(
  client: Client,
  vendors: string,
  boxes: Record<CardField, HTMLElement>,
  { titles, wrong, example }: CardWords,
  onError: (field: CardField, message: string) => void,
): Promise<{ fields: HostedFields; focus: (field: CardField) => void; unmount: () => void }> {
  const hostedFields = await braintreeModule('hostedFields', vendors);
  for (const field of cardFields) {
    boxes[field].style.blockSize = boxHeight;
    // A frame whose color-scheme differs from its container gets a white background in dark mode.
    boxes[field].style.colorScheme = 'light';
  }
  const of = (field: CardField) => ({
    container: boxes[field],
    iframeTitle: titles[field],
    internalLabel: titles[field],
  });
  const mounted = await hostedFields.create({
    client,
    styles: fieldStyles(),
    fields: {
      number: of('number'),
      expirationDate: { ...of('expiry'), placeholder: example },
      cvv: of('cvc'),
    },
  });
  mounted.on('validityChange', ({ emittedBy, fields: states }) => {
    const field = fieldOfKey(emittedBy);
    const state = states[emittedBy];
    if (field && state) onError(field, state.isPotentiallyValid ? '' : wrong[field]);
  });
  const unmount = () => {
    for (const field of cardFields) {
      boxes[field].style.removeProperty('block-size');
      boxes[field].style.removeProperty('color-scheme');
    }
    void mounted.teardown().catch(() => undefined);
  };
  const focus = (field: CardField) => mounted.focus(keys[field]);
  return { fields: mounted, focus, unmount };
}

interface Refused {
  code?: string;
  details?: { invalidFieldKeys?: string[] };
}

function wrongFields({ code, details }: Refused): readonly CardField[] {
  if (code === 'HOSTED_FIELDS_FIELDS_EMPTY') return cardFields;
  if (code === 'HOSTED_FIELDS_FAILED_TOKENIZATION') return ['number'];
  const named = (details?.invalidFieldKeys ?? []).map(fieldOfKey);
  return cardFields.filter((field) => named.includes(field));
}

export function refusal(error: unknown, wrong: CardWords['wrong']): unknown {
  const refused: Refused = error ?? {};
  if (refused.code === 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR') return new ConnectionError();
  const fields = wrongFields(refused);
  const [first] = fields;
  if (!first) return error;
  return new CardError(wrong[first], Object.fromEntries(fields.map((at) => [at, wrong[at]])));
}

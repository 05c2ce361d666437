import type { Client, HostedFields, HostedFieldsEvent } from 'braintree-web';
import {
  type CardCause,
  CardError,
  type CardField,
  type CardWords,
  ConnectionError,
  cardFields,
  type FieldState,
  type ReportField,
} from '../payment-provider.ts';
import { braintreeModule } from './load-modules.ts';

const keys = { number: 'number', expiry: 'expirationDate', cvc: 'cvv' } as const;
type Key = (typeof keys)[CardField];
type Value = HostedFieldsEvent['fields'][Key];
const fieldOfKey = (key: string) => cardFields.find((field) => keys[field] === key);

const boxHeight = '24px';

/** Styles from our tokens, copied because the frames cannot read them. */
function fieldStyles() {
  const token = (name: string) => getComputedStyle(document.body).getPropertyValue(name).trim();
  return {
    input: {
      color: token('--ink'),
      'font-size': '17px',
      'line-height': '24px',
      'font-family': '-apple-system, Segoe UI, Roboto, Arial, sans-serif',
      'text-align': document.dir === 'rtl' ? 'right' : 'left',
    },
    '::placeholder': { color: token('--ink-soft') },
  };
}

export async function mountFields(
  client: Client,
  vendors: string,
  boxes: Record<CardField, HTMLElement>,
  { titles, wrong, example }: CardWords,
  report: ReportField,
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
      number: { ...of('number'), placeholder: '1234 1234 1234 1234' },
      expirationDate: { ...of('expiry'), placeholder: example },
      cvv: { ...of('cvc'), placeholder: '123' },
    },
  });
  const follow =
    (stateOf: (field: CardField, value: Value) => Partial<FieldState>) =>
    ({ emittedBy, fields: values }: HostedFieldsEvent) => {
      const field = fieldOfKey(emittedBy);
      if (field) report(field, stateOf(field, values[emittedBy]));
    };
  const errorOf = (field: CardField, cause: CardCause) => wrong[field][cause];
  mounted.on(
    'validityChange',
    follow((field, { isValid, isPotentiallyValid }) => ({
      error: isPotentiallyValid ? '' : errorOf(field, 'invalid'),
      isComplete: isValid,
    })),
  );
  mounted.on(
    'focus',
    follow(() => ({ isFocused: true })),
  );
  mounted.on(
    'blur',
    follow((field, { isEmpty, isValid, isPotentiallyValid }) => ({
      isFocused: false,
      ...(!isEmpty &&
        !isValid && {
          error: errorOf(field, isPotentiallyValid ? 'incomplete' : 'invalid'),
        }),
    })),
  );
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

type States = Partial<Record<Key, Pick<Value, 'isEmpty' | 'isPotentiallyValid'>>>;

export function refusal(error: unknown, wrong: CardWords['wrong'], states: States = {}): unknown {
  const refused: Refused = error ?? {};
  if (refused.code === 'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR') return new ConnectionError();
  const fields = wrongFields(refused);
  const [first] = fields;
  if (!first) return error;
  const isRefusedAsWhole = refused.code === 'HOSTED_FIELDS_FAILED_TOKENIZATION';
  const textOf = (field: CardField) => {
    const { isEmpty = true, isPotentiallyValid = true } = states[keys[field]] ?? {};
    if (isRefusedAsWhole || !isPotentiallyValid) return wrong[field].invalid;
    return wrong[field][isEmpty ? 'empty' : 'incomplete'];
  };
  return new CardError(textOf(first), Object.fromEntries(fields.map((at) => [at, textOf(at)])));
}

import Framebus from 'framebus';
import { type CardField, format, judge } from '../../browser/card-format.ts';
import { reachableUrl } from './script-origin.ts';

type FieldName = 'number' | 'expirationDate' | 'cvv';

/** The state of a field as sent to braintree-web. */
interface FieldState {
  isEmpty: boolean;
  isValid: boolean;
  isPotentiallyValid: boolean;
  isFocused: boolean;
}

const attributes: Record<FieldName, { name: string; autocomplete: string; label: string }> = {
  number: { name: 'credit-card-number', autocomplete: 'cc-number', label: 'Credit Card Number' },
  expirationDate: { name: 'expiration', autocomplete: 'cc-exp', label: 'Expiration Date' },
  cvv: { name: 'cvv', autocomplete: 'cc-csc', label: 'CVV' },
};
const shared: Record<FieldName, CardField> = {
  number: 'number',
  expirationDate: 'expiry',
  cvv: 'cvc',
};

function stateOf(field: FieldName, input: HTMLInputElement): FieldState {
  const { empty, complete, error } = judge(shared[field], input.value);
  return {
    isEmpty: empty,
    isValid: complete,
    isPotentiallyValid: !error,
    isFocused: input.ownerDocument.activeElement === input && input.ownerDocument.hasFocus(),
  };
}

interface Client {
  authorizationFingerprint: string;
  gatewayConfiguration: { graphQL: { url: string } };
}

interface Tokenized {
  token: string;
  creditCard: { bin: string };
}

const query = `mutation TokenizeCreditCard($input: TokenizeCreditCardInput!) {
  tokenizeCreditCard(input: $input) { token creditCard { bin } }
}`;
const failure = (code: string, message: string, details: object = {}) => [
  { type: 'CUSTOMER', code, message, details },
];

/** Creates a nonce from the three fields. @returns braintree-web's pair of error and payload */
async function tokenize(
  bus: Framebus,
  inputs: Partial<Record<FieldName, HTMLInputElement>>,
  states: Record<string, FieldState>,
  options: { cardholderName?: string },
): Promise<unknown[]> {
  if (Object.values(states).every(({ isEmpty }) => isEmpty)) {
    const text = 'All fields are empty. Cannot tokenize empty card fields.';
    return failure('HOSTED_FIELDS_FIELDS_EMPTY', text);
  }
  const invalidFieldKeys = Object.keys(states).filter((field) => !states[field]?.isValid);
  if (invalidFieldKeys.length > 0) {
    const text = 'Some payment input fields are invalid. Cannot tokenize invalid card fields.';
    return failure('HOSTED_FIELDS_FIELDS_INVALID', text, { invalidFieldKeys });
  }
  const client = await new Promise<Client>((done) => {
    bus.emit('hosted-fields:READY_FOR_CLIENT', done as never);
  });
  const [expirationMonth, expirationYear] = (inputs.expirationDate?.value ?? '').split(' / ');
  const creditCard = {
    number: inputs.number?.value.replaceAll(' ', ''),
    cvv: inputs.cvv?.value,
    expirationMonth,
    expirationYear,
    cardholderName: options.cardholderName,
  };
  try {
    const address = reachableUrl(client.gatewayConfiguration.graphQL.url, location.href);
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${client.authorizationFingerprint}`,
        'braintree-version': '2018-05-10',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query, variables: { input: { creditCard } } }),
    });
    const { data, errors } = await response.json();
    if (data) {
      const { token, creditCard: tokenizedCard }: Tokenized = data.tokenizeCreditCard;
      return [null, { nonce: token, type: 'CreditCard', details: { bin: tokenizedCard.bin } }];
    }
    const text = 'The supplied card data failed tokenization.';
    return failure('HOSTED_FIELDS_FAILED_TOKENIZATION', text, { originalError: errors });
  } catch {
    return failure(
      'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR',
      'A tokenization network error occurred.',
    );
  }
}

interface Settings {
  styles?: Record<string, Record<string, string>>;
  fields: Partial<Record<FieldName, { placeholder?: string }>>;
}

const names = Object.keys(attributes) as FieldName[];
const frameOf = (field: FieldName) => `braintree-hosted-field-${field}`;
const mine = names.find((field) => frameOf(field) === window.name) ?? 'number';
const bus = new Framebus({ channel: location.hash.slice(1) });
const input = document.createElement('input');

/** The inputs of all fields, whose frames share this origin. */
function inputs(): Partial<Record<FieldName, HTMLInputElement>> {
  const found = names.map((field) => {
    const frame = (parent as unknown as Record<string, Window | undefined>)[frameOf(field)];
    return [field, frame?.document.querySelector('input') ?? undefined] as const;
  });
  return Object.fromEntries(found.filter(([, element]) => element));
}

function states(): Record<string, FieldState> {
  return Object.fromEntries(
    Object.entries(inputs()).map(([field, element]) => [
      field,
      stateOf(field as FieldName, element as HTMLInputElement),
    ]),
  );
}

const notifyPage = (type: string) =>
  bus.emit('hosted-fields:INPUT_EVENT', {
    type,
    merchantPayload: { emittedBy: mine, fields: states(), cards: [] },
  });

/** braintree-web's style rules: `input`, `.invalid`, `::placeholder` and the like. */
function applyStyles({ styles = {}, fields }: Settings): void {
  const rules = Object.entries(styles).map(([selector, rule]) => {
    const place = selector.startsWith('::') ? `input${selector}` : selector;
    const lines = Object.entries(rule).map(([name, value]) => `${name}:${value}`);
    return `${place}{${lines.join(';')}}`;
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  document.adoptedStyleSheets = [sheet];
  input.placeholder = fields[mine]?.placeholder ?? '';
}

let before: FieldState | undefined;
function changed(event: Event): void {
  const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
  input.value = format(shared[mine], input.value, deleting);
  const now = stateOf(mine, input);
  input.classList.toggle('invalid', !now.isPotentiallyValid);
  input.classList.toggle('valid', now.isValid);
  input.setAttribute('aria-invalid', String(!now.isPotentiallyValid));
  const validity = before?.isValid !== now.isValid;
  if (validity || before?.isPotentiallyValid !== now.isPotentiallyValid)
    notifyPage('validityChange');
  if (now.isEmpty !== (before?.isEmpty ?? true)) notifyPage(now.isEmpty ? 'empty' : 'notEmpty');
  before = now;
}

const { name, autocomplete, label } = attributes[mine];
Object.assign(input, { name, autocomplete, inputMode: 'numeric', type: 'text', id: name });
input.setAttribute('aria-label', label);
input.addEventListener('input', changed);
input.addEventListener('focus', () => notifyPage('focus'));
input.addEventListener('blur', () => notifyPage('blur'));
document.body.append(input);
bus.on('hosted-fields:TRIGGER_INPUT_FOCUS', ((data: { field: string }) => {
  if (data.field === mine) input.focus();
}) as never);
bus.on('hosted-fields:CONFIGURATION', applyStyles as never);
if (mine === 'number') {
  bus.on('hosted-fields:TOKENIZATION_REQUEST', (async (options: object, reply: Reply) => {
    reply(await tokenize(bus, inputs(), states(), options));
  }) as never);
}

// Only one frame receives the settings, and passes them on.
bus.emit('hosted-fields:FRAME_READY', { field: mine }, ((settings: Settings) => {
  applyStyles(settings);
  bus.emit('hosted-fields:CONFIGURATION', settings as never);
}) as never);
type Reply = (answer: unknown) => void;

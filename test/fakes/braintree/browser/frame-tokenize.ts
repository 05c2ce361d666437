import type Framebus from 'framebus';
import type { FieldName, FieldState } from './frame-fields.ts';
import { reach } from './script-origin.ts';

interface Client {
  authorizationFingerprint: string;
  gatewayConfiguration: { graphQL: { url: string } };
}

interface Tokenized {
  token: string;
  creditCard: Record<string, string>;
}

const query = `mutation TokenizeCreditCard($input: TokenizeCreditCardInput!) {
  tokenizeCreditCard(input: $input) {
    token creditCard { bin brandCode last4 expirationMonth expirationYear }
  }
}`;

const failure = (code: string, message: string, details: object = {}) => [
  { type: 'CUSTOMER', code, message, details },
];

const names: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'MasterCard',
  AMERICAN_EXPRESS: 'American Express',
  DISCOVER: 'Discover',
};

function payloadOf({ token, creditCard: card }: Tokenized) {
  const { bin = '', last4 = '', brandCode = '', expirationMonth, expirationYear } = card;
  return {
    nonce: token,
    type: 'CreditCard',
    description: `ending in ${last4.slice(2)}`,
    details: {
      bin,
      lastFour: last4,
      lastTwo: last4.slice(2),
      cardType: names[brandCode] ?? 'Unknown',
      expirationMonth,
      expirationYear,
    },
  };
}

/** Creates a nonce of the three fields. @returns braintree-web's pair of error and payload */
export async function tokenize(
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
    const address = reach(client.gatewayConfiguration.graphQL.url, location.href);
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
    if (data) return [null, payloadOf(data.tokenizeCreditCard)];
    const text = 'The supplied card data failed tokenization.';
    return failure('HOSTED_FIELDS_FAILED_TOKENIZATION', text, { originalError: errors });
  } catch {
    return failure(
      'HOSTED_FIELDS_TOKENIZATION_NETWORK_ERROR',
      'A tokenization network error occurred.',
    );
  }
}

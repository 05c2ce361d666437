/** Places where a person's data may be found: the place, the kinds, and the reason. */
type Allowed = readonly [place: string, kinds: string, why: string];

/** While the person has an account. Anything found elsewhere is a leak. */
export const allowed: readonly Allowed[] = [
  ['d1 accounts.email', 'email', 'letters, receipts and the sign-in go there'],
  ['d1 accounts.email_key', 'email', 'the same, for the question whether it is taken'],
  ['d1 accounts.name', 'email, name', 'as its owner typed it; the e-mail where there is none'],
  ['d1 accounts.google_sub', 'google user', 'who Google signs in again'],
  [
    'd1 one_time_codes.code_hash',
    'app code sha256, mail code sha256, hand-over code sha256',
    'a hash of 128 random bits opens nothing',
  ],
  ['d1 invitation_codes.code_hash', 'invitation code sha256', 'the same'],
  [
    'd1 dead_letters.body',
    'address, browser',
    'a purchase that a network did not take; swept after 7 days',
  ],
  ['purchases profile.email', 'email', 'gateways ask for it with each customer'],
  ['purchases attempt.secret', 'payment secret', 'the browser needs it while the bank asks'],
  ['purchases attempt.pollingId', 'poll id', 'who opened the attempt asks for its result by it'],
  ['purchases key', 'poll id', 'the same'],
  [
    'purchases ad-click.agent',
    'browser',
    'after a yes to ads, until the purchase is told or failed',
  ],
  ['invitations contact.e164', 'phone', 'texts go there; deleted when nothing is open'],
  ['invitations invitation.name', 'name', 'the person is told who asks'],
  ['invitations sms.code', 'invitation code', 'stands in the text that waits; deleted once sent'],
  ['invitations key', 'invitation code sha256', 'a hash of 128 random bits opens nothing'],
  ['invitations position.latitude', 'position', 'three decimals, while the person shares it'],
  ['invitations position.longitude', 'position', 'the same'],
  ['queue CONVERSION_QUEUE.agent', 'browser', 'after a yes to ads, where a network needs it'],
  ['queue CONVERSION_QUEUE.address', 'address', 'the same, for a buyer without marks of an ad'],
  [
    'answered header.set-cookie.carry',
    'phone, email, access token, app code',
    'without JavaScript, for 10 minutes: what a form gave reaches the next page by no address',
  ],
  [
    'answered header.location',
    'card, phone',
    'who asks for a path of digits is sent to the same path, without a query that names somebody',
  ],
  ['sent api.stripe.com body.email', 'email', 'the customer’s receipts'],
  ['sent api.sandbox.braintreegateway.com body.customer.email', 'email', 'the same'],
  ['sent api.resend.com body.to', 'email', 'the mail’s recipient'],
  ['sent api.resend.com body.text', 'mail code', 'the link that the mail is for'],
  ['sent api.resend.com body.html', 'mail code', 'the same'],
  ['sent api.twilio.com body.To', 'phone', 'the text’s recipient'],
  ['sent api.twilio.com body.Body', 'invitation code, name', 'who asks, and the link'],
  [
    'sent graph.facebook.com body.data.user_data.client_user_agent',
    'browser',
    'after a yes to ads; the network takes no event without it',
  ],
  [
    'sent graph.facebook.com body.data.user_data.client_ip_address',
    'address',
    'after a yes to ads, for a buyer without its marks',
  ],
  ['sent business-api.tiktok.com body.data.user.user_agent', 'browser', 'the same'],
  ['sent business-api.tiktok.com body.data.user.ip', 'address', 'the same'],
  ['sent portal.test url', 'phone', 'an outside product API takes it in its path'],
  ['sent portal.test body.email', 'email', 'an outside product API signs up'],
  ['sent portal.test body.name', 'email', 'the same'],
  ['sent api.stripe.com header.authorization', 'our secret', 'our key there'],
  ['sent api.resend.com header.authorization', 'our secret', 'our key there'],
  ['sent api.twilio.com header.authorization', 'our secret base64', 'our key there'],
  [
    'sent api.sandbox.braintreegateway.com header.authorization',
    'our secret base64',
    'our key there',
  ],
  [
    'sent payments.sandbox.braintree-api.com header.authorization',
    'our secret base64',
    'our key there',
  ],
  ['sent graph.facebook.com header.authorization', 'our secret', 'our key there'],
  ['sent business-api.tiktok.com header.access-token', 'our secret', 'our key there'],
  ['sent www.google-analytics.com url', 'our secret', 'its protocol has the key there'],
  ['sent maps.googleapis.com url', 'our secret', 'its protocol has the key there'],
];

/** Data that remains after a deletion. */
export const remaining: readonly Allowed[] = [
  ['d1 dead_letters.body', 'address, browser', 'names no account; swept after 7 days'],
  ['invitations key', 'invitation code sha256', 'evidence of what was asked; opens nothing'],
  [
    'purchases attempt.pollingId',
    'poll id',
    'of a purchase under a bare id; tells a state and a sum',
  ],
  ['purchases key', 'poll id', 'the same'],
];

/** Each place with each kind, in the format of findings. */
export const listed = (list: readonly Allowed[]): string[] =>
  list.flatMap(([place, kinds]) => kinds.split(', ').map((kind) => `${place}: ${kind}`)).sort();

/** Places where a person's data may be found: the place, the kinds, and the reason. */
type Allowed = readonly [place: string, kinds: string, why: string];

/** While the person has an account. Anything found elsewhere is a leak. */
export const allowed: readonly Allowed[] = [
  ['d1 accounts.email', 'email', 'the address for receipts and sign-in links'],
  ['d1 accounts.email_key', 'email', 'finds the account of an address'],
  ['d1 accounts.name', 'email, name', 'as the owner typed it; the e-mail if there is none'],
  ['d1 accounts.google_sub', 'google user', 'the account of a Google user'],
  [
    'd1 one_time_codes.code_hash',
    'app code sha256, mail code sha256, hand-over code sha256',
    'a hash of 128 random bits opens nothing',
  ],
  ['d1 invitation_codes.code_hash', 'invitation code sha256', 'the same'],
  ['d1 dead_letters.body', 'address, browser', 'a refused conversion; deleted after 7 days'],
  ['purchases profile.email', 'email', 'gateways require it for each customer'],
  ['purchases attempt.secret', 'payment secret', 'the browser needs it for a 3-D Secure challenge'],
  ['purchases attempt.pollingId', 'poll id', 'the buyer polls the result with it'],
  ['purchases key', 'poll id', 'the same'],
  ['purchases ad-click.agent', 'browser', 'with ad consent, until the purchase is reported'],
  ['invitations contact.e164', 'phone', 'the recipient of SMS; deleted when no invitation is open'],
  ['invitations invitation.name', 'name', 'the invitee sees who asks'],
  ['invitations code.words.name', 'name', 'each link’s page says what its message said'],
  ['invitations sms.code', 'invitation code', 'part of the SMS until it is sent'],
  ['invitations key', 'invitation code sha256', 'a hash of 128 random bits opens nothing'],
  ['invitations position.latitude', 'position', 'three decimals, while it is shared'],
  ['invitations position.longitude', 'position', 'the same'],
  ['queue CONVERSION_QUEUE.agent', 'browser', 'with ad consent, for networks that require it'],
  ['queue CONVERSION_QUEUE.address', 'address', 'with ad consent, without tracking cookies'],
  // Without JavaScript form values reach the next page in a cookie, not in a URL.
  ['response header.set-cookie.carry', 'phone, email, access token, app code', 'for 10 minutes'],
  ['response header.location', 'card, phone', 'a redirect keeps a path of digits'],
  ['sent api.stripe.com body.email', 'email', 'the customer’s address for receipts'],
  ['sent api.sandbox.braintreegateway.com body.customer.email', 'email', 'the same'],
  ['sent api.resend.com body.to', 'email', 'the recipient'],
  ['sent api.resend.com body.text', 'mail code', 'the link in the e-mail'],
  ['sent api.resend.com body.html', 'mail code', 'the same'],
  ['sent api.twilio.com body.To', 'phone', 'the recipient'],
  ['sent api.twilio.com body.Body', 'invitation code, name', 'who asks, and the link'],
  // With ad consent. Meta requires the browser; all else is for buyers without the network’s cookies.
  ['sent graph.facebook.com body.data.user_data.client_user_agent', 'browser', 'required'],
  ['sent graph.facebook.com body.data.user_data.client_ip_address', 'address', 'without cookies'],
  ['sent business-api.tiktok.com body.data.user.user_agent', 'browser', 'without cookies'],
  ['sent business-api.tiktok.com body.data.user.ip', 'address', 'the same'],
  ['sent portal.test url', 'phone', 'the external product API has it in its path'],
  ['sent portal.test body.email', 'email', 'the external product API signs up'],
  ['sent portal.test body.name', 'email', 'the same'],
  ['sent api.stripe.com header.authorization', 'our secret', 'our API key'],
  ['sent api.resend.com header.authorization', 'our secret', 'our API key'],
  ['sent api.twilio.com header.authorization', 'our secret base64', 'our API key'],
  ['sent api.sandbox.braintreegateway.com header.authorization', 'our secret base64', 'the same'],
  ['sent payments.sandbox.braintree-api.com header.authorization', 'our secret base64', 'the same'],
  ['sent graph.facebook.com header.authorization', 'our secret', 'our API key'],
  ['sent business-api.tiktok.com header.access-token', 'our secret', 'our API key'],
  ['sent www.google-analytics.com url', 'our secret', 'its protocol has the API key in the URL'],
  ['sent maps.googleapis.com url', 'our secret', 'its protocol has the API key in the URL'],
];

/** Data that remains after a deletion. */
export const remaining: readonly Allowed[] = [
  ['d1 invitation_codes.code_hash', 'invitation code sha256', 'the invitee can still report'],
  ['invitations key', 'invitation code sha256', 'evidence of the request; opens nothing'],
  ['purchases attempt.pollingId', 'poll id', 'reveals a state and an amount, no person'],
  ['purchases key', 'poll id', 'the same'],
];

/** Each place with each kind, in the format of findings. */
export const listed = (list: readonly Allowed[]): string[] =>
  list.flatMap(([place, kinds]) => kinds.split(', ').map((kind) => `${place}: ${kind}`)).sort();

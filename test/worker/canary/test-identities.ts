import type { Canary } from './secrets.ts';

/** A number in national and international notation, whole and split into parts. */
export const e164 = '+4915129736148';
export const phone: Canary = {
  kind: 'phone',
  written: [e164, e164.slice(1), `00${e164.slice(1)}`, `0${e164.slice(3)}`, '+49 1512 9736148'],
  parts: [e164.slice(3), e164.slice(0, -4)],
};

export const address = 'Orla.Quillfeather@zwirnpost-7q.example';
export const email: Canary = {
  kind: 'email',
  written: [address],
  parts: ['orla.quillfeather', 'zwirnpost-7q'],
};

export const surname = 'Quittenbaum';
export const name: Canary = { kind: 'name', written: [`Tilda ${surname}`], parts: [surname] };

/** Has a valid check digit, but is no approved test card. */
export const pan = '4929939187355598';
export const card: Canary = {
  kind: 'card',
  written: [pan, '4929 9391 8735 5598'],
  parts: ['cvc zq71w'],
};

/** A position as the device reports it, and as it may be stored. */
export const place = { latitude: 48.137154217, longitude: 11.576124311, accuracy: 8 };
const exactly: Canary = {
  kind: 'exact position',
  written: [String(place.latitude), String(place.longitude)],
};
const nearly: Canary = { kind: 'position', written: ['48.137', '11.576'] };

export const ip = '2001:db8:77aa::4d1e';
const connection: Canary = { kind: 'address', written: [ip] };
export const agent = 'Zeisig/7.1 (Canary; like Browser)';
const browser: Canary = { kind: 'browser', written: [agent] };

/** A secret learned during the run. */
export const secret = (kind: string, ...written: string[]): Canary => ({ kind, written });

/** Secrets for our vendors' APIs, and for our own signatures. */
const ours: Canary = {
  kind: 'our secret',
  written: [
    'a secret of the tests, 32 characters',
    'a secret of the tests, also 32 characters',
    'sk_test_fake',
    'whsec_fake',
    'fake_private',
    'twilio_fake',
    're_fake',
    'meta_fake',
    'tiktok_fake',
    'google_fake',
    'geocoder_fake',
    'the-operators-token-long-enough',
  ],
};

export const known: readonly Canary[] = [
  ours,
  phone,
  email,
  name,
  card,
  exactly,
  nearly,
  connection,
  browser,
];

import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createFakes } from '../index.ts';

const { fetch } = createFakes();
const base = 'http://localhost:8787/fakes/accounts.google.com/gsi';
const credentialOf = (person: string) =>
  fetch(
    new Request(`${base}/credential`, {
      method: 'POST',
      body: JSON.stringify({ person, audience: 'client' }),
    }),
  );

test('Google fake: a credential is signed by the published key', async () => {
  const { credential } = await (await credentialOf('Ada Lovelace')).json();
  const address = 'https://www.googleapis.com/oauth2/v3/certs';
  const keys = createLocalJWKSet(await (await fetch(new Request(address))).json());
  const { payload, protectedHeader } = await jwtVerify(credential, keys, {
    issuer: 'https://accounts.google.com',
    audience: 'client',
  });
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload).toMatchObject({ email: 'ada.lovelace@example.com', email_verified: true });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
});

test('Google fake: one test user has an unverified e-mail, one returns no credential, other users are unknown', async () => {
  const { credential } = await (await credentialOf('Without a verified e-mail')).json();
  const claims = JSON.parse(Buffer.from(credential.split('.')[1], 'base64url').toString());
  expect(claims.email_verified).toBe(false);
  expect(await (await credentialOf('Without a credential')).json()).toEqual({ credential: null });
  expect((await credentialOf('Nobody')).status).toBe(400);
});

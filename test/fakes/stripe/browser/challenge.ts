import { showChallenge } from '../../browser/bank-page.ts';
import { type ChallengeSetup, request, setupOf } from './messages.ts';

const { intent, secret, key, api, page } = setupOf<ChallengeSetup>();

showChallenge('3D Secure 2 Test Page', async (outcome) => {
  await request(api, key, 'POST', `/__challenge/${intent}`, { client_secret: secret, outcome });
  parent.postMessage({ kind: 'challenged' }, page);
});

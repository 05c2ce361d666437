import { showChallenge } from '../../browser/bank-page.ts';
import { type RedirectSetup, request, setupOf } from './messages.ts';

const { intent, secret, key, api, returnUrl } = setupOf<RedirectSetup>();

/**
 * The payer returns with these parameters in the URL; a cancelled payment returns like a refused one
 * (docs.stripe.com/payments/ideal/accept-a-payment, docs.stripe.com/payments/bancontact/accept-a-payment).
 */
showChallenge('Test payment page', async (outcome) => {
  await request(api, key, 'POST', `/__challenge/${intent}`, { client_secret: secret, outcome });
  const back = new URL(returnUrl);
  back.searchParams.set('payment_intent', intent);
  back.searchParams.set('payment_intent_client_secret', secret);
  back.searchParams.set('redirect_status', outcome === 'authenticated' ? 'succeeded' : 'failed');
  location.href = back.href;
});

import { Hono } from 'hono';
import { admin } from './api/admin.ts';
import { consent } from './api/consent.ts';
import { coupons } from './api/coupons.ts';
import { deeplink } from './api/deeplink.ts';
import { events } from './api/events.ts';
import { geocode } from './api/geocode.ts';
import { guarantee } from './api/guarantee.ts';
import { guard } from './api/guard.ts';
import { guide as guideText } from './api/guide.ts';
import { holdings } from './api/holdings.ts';
import { invitations } from './api/invitations.ts';
import { invited as invitedApi } from './api/invited.ts';
import { leaving } from './api/leaving.ts';
import { locate } from './api/locate.ts';
import { mailLink } from './api/mail-link.ts';
import { me } from './api/me.ts';
import { polling } from './api/polling.ts';
import { reports } from './api/reports.ts';
import { signOut } from './api/sign-out.ts';
import { signup } from './api/signup.ts';
import { social } from './api/social.ts';
import { subscriptions } from './api/subscriptions.ts';
import { textWebhook } from './api/text-webhook.ts';
import { upstream } from './api/upstream.ts';
import { wayHere } from './api/way-here.ts';
import { webhooks } from './api/webhooks.ts';
import { assignment } from './assignment.ts';
import { androidAssociation, appleAssociation } from './association.ts';
import { cleanAddress } from './clean-address.ts';
import type { App } from './env.ts';
import { Refusal } from './errors.ts';
import { failed } from './failed.ts';
import { forms } from './forms.ts';
import { health } from './health.ts';
import { language } from './language.ts';
import { logged } from './logged.ts';
import {
  cancel,
  entry,
  fallback,
  guide,
  invited,
  mailedLink,
  manage,
  openApp,
  screen,
} from './pages.tsx';
import { preview } from './preview.ts';
import { spoken } from './spoken.ts';
import { bounded } from './storage/bounded.ts';
import { visitor } from './visitor.ts';

const api = new Hono<App>()
  .use(guard)
  .route('/', upstream)
  .route('/', signup)
  .route('/', social)
  .route('/', me)
  .route('/', holdings)
  .route('/', leaving)
  .route('/', signOut)
  .route('/', invitations)
  .route('/', guarantee)
  .route('/', invitedApi)
  .route('/', deeplink)
  .route('/', mailLink)
  .route('/', wayHere)
  .route('/', guideText)
  .route('/', locate)
  .route('/', coupons)
  .route('/', geocode)
  .route('/', subscriptions)
  .route('/', polling)
  .route('/', consent)
  .route('/', events)
  .all('*', () => {
    throw new Refusal('not_found');
  });

/** The server on one page. */
export const app = new Hono<App>()
  .use(logged, (c, next) => {
    c.env = bounded(c.env);
    return next();
  })
  .get('/healthz', health)
  .route('/webhooks/twilio', textWebhook)
  .route('/webhooks', webhooks)
  .route('/admin', admin)
  .route('/', reports)
  .use(cleanAddress, preview, visitor, spoken, assignment)
  .get('/config.json', (c) => c.body(c.var.assignment.published['config.json'], json))
  .get('/flows.json', (c) => c.body(c.var.assignment.published['flows.json'], json))
  .route('/api/v1', api)
  .get('/', entry)
  .get('/d', openApp)
  .get('/m', mailedLink)
  .get('/guide', guide)
  .get('/i', invited)
  .get('/manage', manage)
  .get('/cancel', cancel)
  .get('/.well-known/apple-app-site-association', appleAssociation)
  .get('/.well-known/assetlinks.json', androidAssociation)
  .route('/', language)
  .get('/:screen', screen)
  .route('/', forms)
  .notFound(fallback)
  .onError(failed);

const json = {
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' },
};

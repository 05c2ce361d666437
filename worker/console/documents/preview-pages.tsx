import { chunks } from 'virtual:client';
import languages from 'virtual:languages';
import type { Context } from 'hono';
import type { Theme } from '../../content/rules/themes.ts';
import type { Documents } from '../../documents/document-set.ts';
import { namespaceKv } from '../../documents/kv.ts';
import { contentOf } from '../../documents/live-documents.ts';
import { siteOrigin } from '../../email/enqueue-email.ts';
import { createPreview, isPreviewToken } from '../../experiments/preview.ts';
import { validateDocuments } from '../../experiments/rules/config-validation.ts';
import { allFlows, isScreenId } from '../../experiments/rules/flows.ts';
import { type App, isProduction } from '../../platform/env.ts';
import { changedVariant, formOf } from '../experiments/rules/experiment-form.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { readForm } from '../parts/form-fields.ts';
import { shownCountry } from '../parts/shown-country.ts';
import { fieldsOf, type Origin, originIn, sentDocuments } from '../publishing/config-change.tsx';
import { liveConfig } from '../publishing/publish-documents.ts';
import { PreviewPage } from './screens/preview.tsx';

const themes: readonly Theme[] = ['geozilla', 'family-locator', 'found', 'brainbloom'];
const languageTags = ['en', ...Object.keys(languages).filter((tag) => tag !== 'en')];
const frameSeconds = 60 * 60;

const oneOf = (known: readonly string[], wanted: string | null | undefined) =>
  known.find((each) => each === wanted) ?? known[0] ?? '';

const phoneLink = (c: Context<App>, screen: string, token: string) =>
  `${siteOrigin(c.env, c.req.url)}/${screen}?preview=${token}`;

/** A preview's link as a QR code, which opens it on a phone. */
export async function showQrCode(c: Context<App>): Promise<Response> {
  const { screen = '', token = '' } = c.req.query();
  if (!isScreenId(screen) || !isPreviewToken(token)) {
    return consoleRefusal(c, 404, 'Not found', 'There is no such preview.');
  }
  const { qrCode } = await import('../../accounts/qr-code.ts');
  return c.body(qrCode(phoneLink(c, screen, token)), 200, {
    'content-type': 'image/svg+xml',
    'cache-control': 'private, max-age=3600',
  });
}

async function previewPage(
  c: Context<App>,
  texts: Documents,
  query: URLSearchParams,
  /** Unpublished documents: the version that their editor started from, the editor, and the changed variant. */
  draft: (Origin & { base: string; changed: string | undefined }) | null,
): Promise<Response> {
  const { set } = validateDocuments(texts, { production: isProduction(c.env) });
  const variants = set?.config.variants ?? [];
  const keys = variants.map(({ key }) => key);
  const country = shownCountry(c, query.get('country'));
  const chosen = {
    variant: oneOf(keys, query.get('variant') ?? draft?.changed),
    beside: keys.find((key) => key === (query.get('beside') ?? (draft?.changed && keys[0]))) ?? '',
    country,
    lng: oneOf(languageTags, query.get('lng')),
    theme: oneOf(themes, query.get('theme')),
  };
  const kv = namespaceKv(c.env.FUNNEL);
  const named = set ? allFlows(set.flows, isProduction(c.env)) : new Map();
  const arms = [...new Set([chosen.variant, chosen.beside])].filter(Boolean);
  const shown = await Promise.all(
    arms.map(async (arm) => {
      const options = {
        arm,
        country,
        lng: chosen.lng,
        theme: chosen.theme,
        documents: texts,
        framed: true,
      };
      const token = await createPreview(kv, options, frameSeconds);
      const flow = variants.find(({ key }) => key === arm)?.flow ?? '';
      const screens: readonly string[] = named.get(flow) ?? [];
      return {
        variant: arm,
        link: phoneLink(c, screens[0] ?? '', token),
        qrCode: `/console/preview/qr.svg?${new URLSearchParams({ screen: screens[0] ?? '', token })}`,
        screens: screens.map((id) => ({ id, address: `/${id}?frame=${token}` })),
      };
    }),
  );
  const invalid = 'These documents are not valid, so there is nothing to show.';
  return consolePage(
    c,
    <PreviewPage
      problem={set ? '' : invalid}
      variants={keys}
      chosen={chosen}
      languages={languageTags}
      themes={themes}
      shown={shown}
      script={chunks['console-preview'] ?? ''}
      draft={draft && { ...fieldsOf(texts), base: draft.base, from: draft.from, flow: draft.flow }}
    />,
  );
}

export async function showPreview(c: Context<App>): Promise<Response> {
  const live = await liveConfig(c);
  return previewPage(c, live.documents, new URLSearchParams(c.req.query()), null);
}

export async function showDraft(c: Context<App>): Promise<Response> {
  const fields = await readForm(c);
  const live = await liveConfig(c);
  const next = sentDocuments(fields, live.documents);
  if (contentOf(next) === contentOf(live.documents)) return previewPage(c, next, fields, null);
  const changed = changedVariant(formOf(live.documents).variants, formOf(next).variants);
  const base = fields.get('base') ?? '';
  return previewPage(c, next, fields, { ...originIn(fields), base, changed });
}

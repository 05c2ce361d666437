import { chunks } from 'virtual:client';
import type { Context } from 'hono';
import type { Language } from '../../../locales/index.ts';
import { languageDirection, languageName } from '../../content/language-files.ts';
import type { App } from '../../platform/env.ts';
import { consolePage, consoleRefusal } from '../parts/console-response.tsx';
import { type LiveTexts, liveTexts } from '../publishing/live-texts.ts';
import { type Claim, type ClaimKind, claimsIn, subjects } from './rules/claims.ts';
import { longestPart } from './rules/text-review.ts';
import { Claims, EditClaim } from './screens/claims.tsx';
import type { SentClaim } from './text-change.ts';
import { liveVariants, textFrame } from './text-frames.ts';

const file = 'content.json';
const maxLength = { claims: 120, reviews: 400 };

const addressOf = ({ kind, source, name, at }: Claim) =>
  `/console/claims/edit?${new URLSearchParams({ kind, source, name, at: String(at) })}`;

function marksOf({ texts }: Claim, { languages }: LiveTexts): string {
  const missing = languages.filter(({ tag }) => !texts.has(tag)).map(({ tag }) => tag);
  const outdated = [...texts].filter(([, { state }]) => state === 'outdated').map(([tag]) => tag);
  return [
    missing.length > 0 ? `missing: ${missing.join(', ')}` : '',
    outdated.length > 0 ? `outdated: ${outdated.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}

export async function showClaims(c: Context<App>): Promise<Response> {
  const texts = await liveTexts(c);
  const rows = (kind: ClaimKind) =>
    claimsIn(texts.live.documents[file], kind).map((claim) => ({
      address: addressOf(claim),
      text: (claim.texts.get('en') ?? [...claim.texts.values()][0])?.text ?? '',
      source: claim.source,
      name: claim.name,
      marks: marksOf(claim, texts),
    }));
  return consolePage(c, <Claims claims={rows('claims')} reviews={rows('reviews')} />);
}

/** Where visitors see them, with a text there. */
const places = {
  claims: { screen: 'features', key: 'screens.claims.accuracy' },
  reviews: { screen: 'signup_testim', key: 'screens.reviews.anna.text' },
} as const;

export async function editClaimPage(
  c: Context<App>,
  { live, languages, english }: LiveTexts,
  { kind, id, edited, problems, base }: SentClaim & { base: string },
): Promise<Response> {
  const published = claimsIn(live.documents[file], kind);
  const known = published.find(
    ({ source, name, at }) => source === id?.source && name === id.name && at === id.at,
  );
  const { screen, key } = places[kind];
  const words = known?.texts.get('en')?.text ?? longestPart(english.builtIn[key] ?? '');
  return consolePage(
    c,
    <EditClaim
      screen={{
        id: screen,
        words,
        address: await textFrame(c, await liveVariants(c), { screen, lng: 'en' }),
      }}
      scripts={['console-preview', 'console-texts'].map((name) => chunks[name] ?? '')}
      base={base}
      kind={kind}
      isNew={id === null}
      id={
        id
          ? [
              ['id.source', id.source],
              ['id.name', id.name],
              ['id.at', String(id.at)],
            ]
          : []
      }
      source={edited.source}
      name={edited.name}
      img={edited.img}
      about={edited.about}
      abouts={subjects}
      maxLength={maxLength[kind]}
      texts={languages.map(({ tag }) => ({
        tag,
        name: languageName(tag as Language),
        direction: languageDirection(tag as Language),
        state: known ? (known.texts.get(tag)?.state ?? 'without a text') : '',
        text: edited.texts.get(tag) ?? '',
        problem: problems.get(`text.${tag}`),
      }))}
      problems={problems}
    />,
    problems.size > 0 ? 422 : 200,
  );
}

export async function editClaim(c: Context<App>): Promise<Response> {
  const texts = await liveTexts(c);
  const kind = c.req.query('kind') === 'reviews' ? 'reviews' : 'claims';
  const [source, name] = [c.req.query('source'), c.req.query('name') ?? ''];
  const at = Number(c.req.query('at') ?? 0);
  const found = claimsIn(texts.live.documents[file], kind).find(
    (claim) => claim.source === source && claim.name === name && claim.at === at,
  );
  if (source !== undefined && !found) {
    return consoleRefusal(c, 404, 'Not found', 'This claim or review no longer exists.');
  }
  return editClaimPage(c, texts, {
    kind,
    id: found ? { kind, source: found.source, name: found.name, at: found.at } : null,
    edited: {
      source: found?.source ?? '',
      name: found?.name ?? '',
      img: found?.img ?? '',
      about: found?.about ?? '',
      texts: new Map([...(found?.texts ?? [])].map(([tag, { text }]) => [tag, text])),
      confirmed: new Set(),
    },
    problems: new Map(),
    base: texts.live.fingerprint,
  });
}

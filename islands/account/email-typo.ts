/** Names of large mail providers that no other word resembles, with their endings, the commonest first. */
const providers: Record<string, string> = {
  gmail: 'com',
  googlemail: 'com',
  hotmail: 'com fr it es de be nl se ch co.uk com.br com.ar com.mx co.jp co.th com.tr',
  outlook: 'com fr it es de be pt dk cz cl co jp kr sa com.br com.ar com.tr com.au co.id co.th',
  yahoo:
    'com fr it es de ca in ro pl gr se dk ie co.uk co.in co.jp co.id com.br com.ar com.mx com.au com.ph com.tr com.vn com.tw com.hk com.sg',
  icloud: 'com',
  comcast: 'net',
  verizon: 'net',
  sbcglobal: 'net',
  bellsouth: 'net',
  wanadoo: 'fr es',
  laposte: 'net',
  virgilio: 'it',
  't-online': 'de',
  freenet: 'de',
  seznam: 'cz',
  hanmail: 'net',
  rambler: 'ru',
  yandex: 'ru com com.tr by kz ua',
};

/** Keys of the common keyboards by row; a key's neighbours are beside it, above it and below it. */
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

function areNeighbours(a: string, b: string): boolean {
  const [first, second] = [a, b].map((key) => {
    const row = rows.findIndex((keys) => keys.includes(key));
    return { row, at: (rows[row] ?? '').indexOf(key) };
  });
  if (!first || !second || first.row < 0 || second.row < 0) return false;
  const down = second.row - first.row;
  const right = second.at - first.at;
  // A row is shifted to the right by half a key against the row above it.
  return down === 0
    ? Math.abs(right) === 1
    : Math.abs(down) === 1 && (right === 0 || right === -down);
}

const sorted = (text: string) => [...text].sort().join('');

/** Whether a text is a word with one slip of the fingers: swapped, missing, doubled or a neighbouring letter. */
function isSlip(text: string, word: string): boolean {
  if (text === word || text[0] !== word[0]) return false;
  if (text.length === word.length) {
    const wrong = [...word].flatMap((letter, at) => (text[at] === letter ? [] : [at]));
    if (sorted(text) === sorted(word)) return wrong.length <= 3;
    const [at = 0] = wrong;
    return wrong.length === 1 && areNeighbours(text[at] ?? '', word[at] ?? '');
  }
  const [long, short] = text.length > word.length ? [text, word] : [word, text];
  if (long.length !== short.length + 1) return false;
  return [...long].some((letter, at) => {
    const isExtra = long.slice(0, at) + long.slice(at + 1) === short;
    return isExtra && (long === word || letter === long[at - 1] || letter === long[at + 1]);
  });
}

/** Top-level domains that resemble `com` and `net`. None of them exists, so no domain ends in one. */
const misspelt: Record<string, string> = {
  com: 'c con conm xon von coma como comn cpm cim vom xom cmo ocm comm coom ccom cok clm c0m coml',
  net: 'ner nwt nte ent met nett neet nry',
};
/** They exist, but a large provider has no mailboxes there. */
const alike = { com: 'co cm om' };

/** Firms whose domain is nearly a provider's. */
const firms = new Set(['wandoo.es']);

function endingFor(typed: string, ending: string): 'same' | 'misspelt' | 'alike' | null {
  if (typed === ending) return 'same';
  if (misspelt[ending]?.split(' ').includes(typed)) return 'misspelt';
  return ending === 'com' && alike.com.split(' ').includes(typed) ? 'alike' : null;
}

/** A large provider's domain that a text nearly is; null for any other domain, which may be somebody's own. */
function nearDomain(domain: string): string | null {
  if (firms.has(domain)) return null;
  const dot = domain.indexOf('.');
  const [name, typed] = [domain.slice(0, dot), domain.slice(dot + 1)];
  for (const [provider, list] of Object.entries(providers)) {
    const isExact = name === provider;
    if (!isExact && !isSlip(name, provider)) continue;
    const endings = list.split(' ');
    if (isExact && endings.includes(typed)) return null;
    for (const ending of endings) {
      const how = endingFor(typed, ending);
      if (how === 'misspelt' || how === (isExact ? 'alike' : 'same'))
        return `${provider}.${ending}`;
    }
  }
  return null;
}

/** The corrected address, local part as typed; null when there is nothing to correct. */
export function correctedEmail(email: string): string | null {
  const at = email.lastIndexOf('@') + 1;
  const near = at > 0 ? nearDomain(email.slice(at).toLowerCase()) : null;
  return near && email.slice(0, at) + near;
}

interface Rule {
  needsYes: boolean;
  source: string;
}

/** Whether a running subscription's price rises only with its owner's yes; `../README.md` says why. */
export const priceConsent: Readonly<Record<string, Rule>> = {
  AU: { needsYes: false, source: 'https://www.legislation.gov.au/C2004A00109/latest/text' },
  DE: {
    needsYes: true,
    source:
      'https://verbraucherfenster.hessen.de/ihr-gutes-recht/vertragsrecht/aufgepasst-bei-preisanpassungsklauseln-von-spotify-und-netflix',
  },
  GB: {
    needsYes: true,
    source: 'https://www.lexology.com/library/detail.aspx?g=0074be41-9107-4614-83d7-00d981fab44f',
  },
  KR: {
    needsYes: true,
    source: 'https://support.google.com/googleplay/android-developer/contact/kr_sub',
  },
  US: {
    needsYes: true,
    source: 'https://newyork.public.law/laws/n.y._general_business_law_section_527-a',
  },
};

/** @param country null if it is unknown */
export const needsYes = (country: string | null): boolean =>
  priceConsent[country ?? '']?.needsYes ?? true;

interface Rule {
  needsYes: boolean;
  source: string;
}

/** Whether a running subscription's price rises only with its owner's yes; `../README.md` says why. */
export const priceConsent: Readonly<Record<string, Rule>> = {
  AU: { needsYes: false, source: 'https://www.accc.gov.au/uct' },
  DE: {
    needsYes: true,
    source:
      'https://verbraucherfenster.hessen.de/ihr-gutes-recht/vertragsrecht/aufgepasst-bei-preisanpassungsklauseln-von-spotify-und-netflix',
  },
  GB: {
    needsYes: true,
    source:
      'https://www.gov.uk/government/publications/unfair-terms-explained-for-businesses-individual-guides',
  },
  KR: {
    needsYes: true,
    source: 'https://news.kbs.co.kr/news/mobile/view/view.do?ncd=8171692',
  },
  US: {
    needsYes: true,
    source: 'https://newyork.public.law/laws/n.y._general_business_law_section_527-a',
  },
};

/** @param country null if it is unknown */
export const needsYes = (country: string | null): boolean =>
  priceConsent[country ?? '']?.needsYes ?? true;

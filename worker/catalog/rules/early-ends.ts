interface Rule {
  noticeMonths: number;
  source: string;
}

/** After which notice a renewed period of three months or more may be ended; `../README.md` says why. */
export const earlyEnds: Readonly<Record<string, Rule>> = {
  BE: { noticeMonths: 1, source: 'http://www.droitbelge.be/news_detail.asp?id=397' },
  DE: {
    noticeMonths: 1,
    source:
      'https://www.reedsmith.com/en/perspectives/2022/03/germany-new-rules-on-digital-products-and-consumer-rights-part-ii',
  },
  FR: {
    noticeMonths: 0,
    source:
      'https://www.doctrine.fr/l/texts/codes/LEGITEXT000006069565/articles/LEGIARTI000032226980',
  },
};

/** @param country null if it is unknown @returns null where no such right is listed */
export const earlyEndNotice = (country: string | null): number | null =>
  earlyEnds[country ?? '']?.noticeMonths ?? null;

interface Helpline {
  name: string;
  number: string;
  dial: string;
  /** Of the police. */
  emergency: string;
}

/**
 * Helplines against domestic violence by country (ISO 3166 alpha-2), with the publisher of the number, and the
 * number of the police (of all emergencies where there is one).
 */
const lines: Record<
  string,
  readonly [name: string, number: string, source: string, emergency: string]
> = {
  AR: ['Línea 144', '144', 'argentina.gob.ar/generos/linea-144', '911'],
  AT: ['Frauenhelpline gegen Gewalt', '0800 222 555', 'frauenhelpline.at', '112'],
  AU: ['1800RESPECT', '1800 737 732', '1800respect.org.au', '000'],
  BR: ['Ligue 180', '180', 'gov.br/mulheres', '190'],
  CL: ['Fono 1455', '1455', 'sernameg.gob.cl', '133'],
  CO: ['Línea 155', '155', 'policia.gov.co', '123'],
  DE: ['Hilfetelefon „Gewalt gegen Frauen“', '116 016', 'hilfetelefon.de', '112'],
  DK: ['Lev Uden Vold', '1888', 'levudenvold.dk', '112'],
  ES: ['016', '016', 'violenciagenero.igualdad.gob.es', '112'],
  FI: ['Nollalinja', '080 005 005', 'nollalinja.fi', '112'],
  FR: ['Violences Femmes Info', '3919', 'arretonslesviolences.gouv.fr', '112'],
  GB: ['National Domestic Abuse Helpline', '0808 2000 247', 'nationaldahelpline.org.uk', '999'],
  GR: ['SOS 15900', '15900', 'womensos.gr', '112'],
  IE: ['Women’s Aid', '1800 341 900', 'womensaid.ie', '112'],
  IN: ['Women Helpline', '181', 'wcd.gov.in', '112'],
  IT: ['Antiviolenza e stalking 1522', '1522', '1522.eu', '112'],
  JP: ['DV相談＋', '0120-279-889', 'soudanplus.jp', '110'],
  KR: ['여성긴급전화 1366', '1366', 'women1366.kr', '112'],
  NL: ['Veilig Thuis', '0800 2000', 'veiligthuis.nl', '112'],
  NO: ['VO-linjen', '116 006', 'volinjen.no', '112'],
  NZ: ['Women’s Refuge', '0800 733 843', 'womensrefuge.org.nz', '111'],
  PE: ['Línea 100', '100', 'gob.pe/mimp', '105'],
  PL: ['Niebieska Linia', '800 120 002', 'niebieskalinia.info', '112'],
  PT: ['Linha de apoio à vítima', '116 006', 'apav.pt', '112'],
  SA: ['مركز بلاغات العنف الأسري', '1919', 'hrsd.gov.sa', '911'],
  TR: ['ALO 183', '183', 'aile.gov.tr', '112'],
  US: ['National Domestic Violence Hotline', '1-800-799-7233', 'thehotline.org', '911'],
  ZA: ['GBV Command Centre', '0800 428 428', 'gbv.org.za', '112'],
};

export function helplineOf(country: string): Helpline | null {
  const line = Object.hasOwn(lines, country) ? lines[country] : undefined;
  if (!line) return null;
  const [name, number, , emergency] = line;
  return { name, number, dial: number.replace(/\D/g, ''), emergency };
}

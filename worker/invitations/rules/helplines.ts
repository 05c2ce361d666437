interface Helpline {
  name: string;
  number: string;
  dial: string;
}

/** Helplines against domestic violence by country (ISO 3166 alpha-2), with the publisher of the number. */
const lines: Record<string, readonly [name: string, number: string, source: string]> = {
  AR: ['Línea 144', '144', 'argentina.gob.ar/generos/linea-144'],
  AT: ['Frauenhelpline gegen Gewalt', '0800 222 555', 'frauenhelpline.at'],
  AU: ['1800RESPECT', '1800 737 732', '1800respect.org.au'],
  BR: ['Ligue 180', '180', 'gov.br/mulheres'],
  CL: ['Fono 1455', '1455', 'sernameg.gob.cl'],
  CO: ['Línea 155', '155', 'policia.gov.co'],
  DE: ['Hilfetelefon', '116 016', 'hilfetelefon.de'],
  DK: ['Lev Uden Vold', '1888', 'levudenvold.dk'],
  ES: ['016', '016', 'violenciagenero.igualdad.gob.es'],
  FI: ['Nollalinja', '080 005 005', 'nollalinja.fi'],
  FR: ['Violences Femmes Info', '3919', 'arretonslesviolences.gouv.fr'],
  GB: ['National Domestic Abuse Helpline', '0808 2000 247', 'nationaldahelpline.org.uk'],
  GR: ['SOS 15900', '15900', 'womensos.gr'],
  IE: ['Women’s Aid', '1800 341 900', 'womensaid.ie'],
  IN: ['Women Helpline', '181', 'wcd.gov.in'],
  IT: ['Antiviolenza e stalking 1522', '1522', '1522.eu'],
  JP: ['DV相談＋', '0120-279-889', 'soudanplus.jp'],
  KR: ['여성긴급전화 1366', '1366', 'women1366.kr'],
  NL: ['Veilig Thuis', '0800 2000', 'veiligthuis.nl'],
  NO: ['VO-linjen', '116 006', 'volinjen.no'],
  NZ: ['Women’s Refuge', '0800 733 843', 'womensrefuge.org.nz'],
  PE: ['Línea 100', '100', 'gob.pe/mimp'],
  PL: ['Niebieska Linia', '800 120 002', 'niebieskalinia.info'],
  PT: ['Linha de apoio à vítima', '116 006', 'apav.pt'],
  SA: ['مركز بلاغات العنف الأسري', '1919', 'hrsd.gov.sa'],
  TR: ['ALO 183', '183', 'aile.gov.tr'],
  US: ['National Domestic Violence Hotline', '1-800-799-7233', 'thehotline.org'],
  ZA: ['GBV Command Centre', '0800 428 428', 'gbv.org.za'],
};

export function helplineOf(country: string): Helpline | null {
  const line = Object.hasOwn(lines, country) ? lines[country] : undefined;
  if (!line) return null;
  const [name, number] = line;
  return { name, number, dial: number.replace(/\D/g, '') };
}

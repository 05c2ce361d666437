export type ArticleId = 'terms' | 'privacy' | 'refunds' | 'support' | 'cookies' | 'imprint';
/** Text of a legal page: links as `[label](name)`, facts about the company as `{{name}}`. */
export interface Article {
  title: string;
  lead: string;
  sections: readonly { title: string; text: readonly string[]; points?: readonly string[] }[];
  /** Date of the last change, ISO 8601. */
  changed: string;
  /** BCP 47; English where the visitor's language has no text. */
  language: string;
}

export interface Testimonial {
  text: string;
  source: string;
  /** Of when the claim is, ISO 8601. */
  date?: string | undefined;
  /** The author's relation to the subject; a visitor who states the same sees this review first. */
  about?: string | undefined;
  name?: string | undefined;
  img?: string | undefined;
}

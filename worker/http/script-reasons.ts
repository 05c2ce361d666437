export interface Reason {
  why: string;
  /** URL where the vendor documents its hosts. */
  published?: string;
  /** How a changed script would be noticed. Without: the vendor changes the file at its URL, so a hash would block it. */
  integrity?: string;
}

const braintree = 'https://braintree.github.io/braintree-web/current/#content-security-policy';

/** Why each entry of the inventory is there, for readers and tests: the Worker takes only the names, as types. */
export const scriptReasons = {
  'this product': {
    why: 'the pages’ own code, images and API calls',
    integrity: 'by content: a file’s name contains its hash',
  },
  'this product, prerendering': {
    why: 'lets the browser prerender the next document',
    integrity: 'no code: a URL, named by the page’s own script',
  },
  'this product, drawn images': {
    why: 'images that the page draws itself',
    integrity: 'no code',
  },
  'this product, the map’s frame': {
    why: 'holds Google’s street map in a frame of its own',
    integrity: 'no code in our page',
  },
  'this product, in the map’s frame': {
    why: 'starts Google’s script and gives it the position to show',
    integrity: 'by content: the file is part of the build',
  },
  'Google Maps': {
    why: 'draws the street map around a shared position, only with GOOGLE_MAPS_KEY and once the buyer asks for it',
    published:
      'https://developers.google.com/maps/documentation/javascript/content-security-policy',
  },
  'Google sign-in': {
    why: 'signs up without typing an e-mail; draws its own button in a frame',
    published:
      'https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid#content_security_policy',
  },
  Stripe: {
    why: 'draws the card fields in frames of its own, takes the payment, opens 3-D Secure',
    published: 'https://docs.stripe.com/security/guide#content-security-policy',
  },
  Braintree: {
    why: 'draws the card fields in frames of its own, takes the payment',
    published: braintree,
    integrity: 'possible: its address holds the version; no hash is set, the frames have none',
  },
  'Cardinal, for Braintree': {
    why: 'has the bank ask the card’s owner: 3-D Secure',
    published: braintree,
    integrity:
      'by its hash where Braintree’s configuration names one (cardinalSongbirdIdentityHash)',
  },
  'the bank of whoever pays': {
    why: 'asks the card’s owner in a frame of our page: 3-D Secure',
    published: braintree,
    integrity: 'no code in our page',
  },
  'PayPal, for Braintree': {
    why: 'pays by PayPal, and looks at the device against fraud',
    published: braintree,
  },
  'Google Pay, for Braintree': {
    why: 'pays by Google Pay; Apple Pay is Safari’s own and loads nothing',
    published: braintree,
  },
  Meta: {
    why: 'attributes purchases to the ads that brought the visitor',
    published: 'https://developers.facebook.com/docs/meta-pixel/get-started',
  },
  TikTok: {
    why: 'attributes purchases to the ads that brought the visitor',
    published: 'https://business-api.tiktok.com/portal/docs?id=1739585702922241',
  },
  'Google Ads and Analytics': {
    why: 'attributes purchases to the ads that brought the visitor',
    published: 'https://developers.google.com/tag-platform/security/guides/csp',
  },
  'Microsoft Clarity': {
    why: 'shows where visitors tap, with all text masked',
    published: 'https://learn.microsoft.com/en-us/clarity/setup-and-installation/clarity-csp',
  },
  AppsFlyer: {
    why: 'attributes app installs to the ad',
    published: 'https://support.appsflyer.com/hc/en-us/articles/43485611331473',
  },
  'AppsFlyer OneLink': {
    why: 'adds the ad to the links to the app stores',
    published: 'https://support.appsflyer.com/hc/en-us/articles/43485611331473',
  },
} as const satisfies Record<string, Reason>;

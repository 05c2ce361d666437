import { SET_UP_PARAMETERS } from './account-settings.ts';
import { invalid, Refused } from './call.ts';
import type { Param, Params } from './params.ts';
import type { SavedReply, StripeState } from './state.ts';

const DAY = 86_400;

/** Keys of calls under way; not part of the state, so a restart clears them. */
export type InFlight = Set<string>;

/**
 * Stripe's handling of an idempotency key before execution: "saving the resulting status code and body of the first
 * request made for any given idempotency key, regardless of whether it succeeds or fails. Subsequent requests with
 * the same key return the same result, including 500 errors", pruned after 24 hours, an error if the parameters
 * differ.
 * https://docs.stripe.com/api/idempotent_requests
 * @returns the saved reply, if there is one
 */
export function savedReply(
  key: string,
  fingerprint: string,
  inFlight: InFlight,
  state: StripeState,
  now: number,
): SavedReply | undefined {
  if (inFlight.has(key)) {
    // https://docs.stripe.com/error-codes#idempotency-key-in-use
    throw new Refused(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key: ${key}.`,
    });
  }
  const saved = state.idempotency[key];
  if (!saved) return undefined;
  if (now >= saved.created + DAY) {
    delete state.idempotency[key];
    return undefined;
  }
  if (saved.fingerprint === fingerprint) return saved;
  throw new Refused(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first ' +
      `used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

/** The same call with the same parameters, in any order, has the same fingerprint. */
export function fingerprintOf(method: string, path: string, params: object): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
  };
  return `${method} ${path} ${JSON.stringify(sorted(params))}`;
}

/**
 * The parameters of each call, generated from the parameter types of the `stripe` package 23.1.0 with the
 * TypeScript checker. One word per parameter: `!` required, `#` integer, `?` boolean, `[]` list, `{}` object, `~{}`
 * scalar or object, `*` map of anything, `=a|b` one of these. Sub-objects of payment methods other than cards are
 * `*`.
 */
const PARAMETERS: Record<string, string> = {
  ...SET_UP_PARAMETERS,
  'POST /customers':
    'address{city country line1 line2 postal_code state} balance# business_name cash_balance{settings{reconciliation_mode=automatic|manual|merchant_default}} description email expand[] individual_name invoice_prefix invoice_settings{custom_fields[]{name! value!} default_payment_method footer rendering_options{amount_tax_display=|exclude_tax|include_inclusive_tax template}} metadata* name next_invoice_sequence# payment_method phone preferred_locales[] shipping{address!{city country line1 line2 postal_code state} name! phone} source tax{ip_address validate_location=deferred|immediately} tax_exempt=|exempt|none|reverse tax_id_data[]{type!=ad_nrt|ae_trn|al_tin|am_tin|ao_tin|ar_cuit|au_abn|au_acn|au_arn|au_wpn|aw_tin|az_tin|ba_tin|bb_tin|bd_bin|bf_ifu|bg_uic|bh_vat|bj_ifu|bo_tin|br_cnpj|br_cpf|bs_tin|bw_vat|by_tin|ca_bn|ca_gst_hst|ca_pst_bc|ca_pst_mb|ca_pst_sk|ca_qst|cd_nif|ch_uid|ch_vat|ci_vat|cl_tin|cm_niu|cn_tin|co_nit|cr_tin|cv_nif|cz_dic|de_stn|do_rcn|ec_ruc|eg_tin|es_cif|et_tin|eu_oss_vat|eu_vat|fo_vat|fr_siren|fr_siret|fr_spi|gb_vat|ge_vat|gh_tin|gi_tin|gn_nif|hk_br|hr_oib|hu_tin|ic_nif|id_npwp|il_vat|in_gst|is_kt|is_vat|it_cf|jp_cn|jp_rn|jp_trn|ke_pin|kg_tin|kh_tin|kr_brn|kz_bin|la_tin|li_uid|li_vat|lk_vat|ma_vat|md_cf|md_vat|me_pib|mk_vat|mr_nif|mu_vat|mx_rfc|my_frp|my_itn|my_sst|mz_nuit|ng_tin|no_vat|no_voec|np_pan|nz_bn|nz_gst|om_vat|pe_ruc|ph_tin|pl_nip|pt_nif|py_ruc|ro_tin|rs_pib|ru_inn|ru_kpp|sa_vat|sg_gst|sg_uen|si_tin|sm_coe|sn_ninea|sr_fin|sv_nit|th_vat|tj_tin|tr_tin|tt_bir|tt_vat|tw_vat|tz_vat|ua_vat|ug_tin|us_ein|uy_ruc|uz_tin|uz_vat|ve_rif|vn_tin|za_vat|zm_tin|zw_tin value!} test_clock validate?',
  'GET /customers/:id': 'expand[]',
  'POST /customers/:id':
    'address{city country line1 line2 postal_code state} balance# business_name cash_balance{settings{reconciliation_mode=automatic|manual|merchant_default}} default_source description email expand[] individual_name invoice_prefix invoice_settings{custom_fields[]{name! value!} default_payment_method footer rendering_options{amount_tax_display=|exclude_tax|include_inclusive_tax template}} metadata* name next_invoice_sequence# phone preferred_locales[] shipping{address!{city country line1 line2 postal_code state} name! phone} source tax{ip_address validate_location=deferred|immediately|auto} tax_exempt=|exempt|none|reverse validate?',
  'POST /payment_methods':
    'acss_debit* affirm* afterpay_clearpay* alipay* allow_redisplay=always|limited|unspecified alma* amazon_pay* au_becs_debit* bacs_debit* bancontact* billie* billing_details{address{city country line1 line2 postal_code state} email name phone tax_id} bizum* blik* boleto* card{cvc exp_month# exp_year# networks{preferred=cartes_bancaires|mastercard|visa} number token} cashapp* crypto* custom* customer customer_balance* eps* expand[] fpx* giropay* grabpay* ideal* interac_present* kakao_pay* klarna* konbini* kr_card* link* mb_way* metadata* mobilepay* multibanco* naver_pay* nz_bank_account* oxxo* p24* pay_by_bank* payco* payment_method paynow* paypal* paypay* payto* pix* promptpay* radar_options{session} revolut_pay* samsung_pay* satispay* scalapay* sepa_debit* sequra* sofort* sunbit* swish* twint* type=card|blik|acss_debit|affirm|afterpay_clearpay|alipay|alma|amazon_pay|au_becs_debit|bacs_debit|bancontact|billie|bizum|boleto|cashapp|crypto|custom|customer_balance|eps|fpx|giropay|grabpay|ideal|kakao_pay|klarna|konbini|kr_card|link|mb_way|mobilepay|multibanco|naver_pay|nz_bank_account|oxxo|p24|pay_by_bank|payco|paynow|paypal|paypay|payto|pix|promptpay|revolut_pay|samsung_pay|satispay|scalapay|sepa_debit|sequra|sofort|sunbit|swish|twint|upi|us_bank_account|wechat_pay|zip upi* us_bank_account* wechat_pay* zip*',
  'GET /payment_methods/:id': 'expand[]',
  'POST /payment_methods/:id/attach': 'customer customer_account expand[]',
  'POST /products':
    'name! active? default_price_data{currency! currency_options* custom_unit_amount{enabled!? maximum# minimum# preset#} metadata* recurring{interval!=day|month|week|year interval_count#} tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} description expand[] id images[] marketing_features[]{name!} metadata* package_dimensions{height!# length!# weight!# width!#} shippable? statement_descriptor tax_code tax_details{performance_location tax_code} type=good|service unit_label url',
  'POST /prices':
    'currency! active? billing_scheme=per_unit|tiered currency_options* custom_unit_amount{enabled!? maximum# minimum# preset#} expand[] lookup_key metadata* nickname product product_data{active? id metadata* name! statement_descriptor tax_code tax_details{performance_location tax_code} unit_label} recurring{interval!=day|month|week|year interval_count# meter trial_period_days# usage_type=licensed|metered} tax_behavior=unspecified|exclusive|inclusive tiers[]{flat_amount# flat_amount_decimal unit_amount# unit_amount_decimal up_to!} tiers_mode=graduated|volume transfer_lookup_key? transform_quantity{divide_by!# round!=down|up} unit_amount# unit_amount_decimal',
  'GET /prices/:id': 'expand[]',
  'POST /subscriptions':
    'add_invoice_items[]{discountable? discounts[]{coupon discount promotion_code} metadata* period{end!{timestamp# type!=min_item_period_end|timestamp} start!{timestamp# type!=timestamp|max_item_period_start|now}} price price_data{currency! product! tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} application_fee_percent automatic_tax{enabled!? liability{account type!=account|self}} backdate_start_date# billing_cycle_anchor# billing_cycle_anchor_config{day_of_month!# hour# minute# month# second#} billing_mode{flexible{proration_discounts=included|itemized} type!=classic|flexible} billing_schedules[]{applies_to[]{price type!=price} bill_until!{duration{interval!=day|month|week|year interval_count#} timestamp# type!=timestamp|duration} key} billing_thresholds{amount_gte# reset_billing_cycle_anchor?} cancel_at cancel_at_period_end? collection_method=charge_automatically|send_invoice currency customer customer_account days_until_due# default_payment_method default_source default_tax_rates[] description discounts[]{coupon discount promotion_code} expand[] invoice_settings{account_tax_ids[] custom_fields[]{name! value!} description footer issuer{account type!=account|self}} items[]{billing_thresholds{usage_gte!#} current_trial{trial_offer!} discounts[]{coupon discount promotion_code} metadata* plan price price_data{currency! product! recurring!{interval!=day|month|week|year interval_count#} tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} metadata* off_session? on_behalf_of payment_behavior=allow_incomplete|default_incomplete|error_if_incomplete|pending_if_incomplete payment_settings{payment_method_options{acss_debit* bancontact* billie* blik* card{mandate_options{amount# amount_type=fixed|maximum description} network=cartes_bancaires|mastercard|visa|link|amex|diners|discover|eftpos_au|girocard|interac|jcb|unionpay|unknown request_three_d_secure=automatic|any|challenge} customer_balance* konbini* payto* pix* sepa_debit* upi* us_bank_account*} payment_method_types[] save_default_payment_method=off|on_subscription} pending_invoice_item_interval{interval!=day|month|week|year interval_count#} proration_behavior=none|always_invoice|create_prorations transfer_data{amount_percent# destination!} trial_end trial_from_plan? trial_period_days# trial_settings{end_behavior!{billing_cycle_anchor=now|unchanged missing_payment_method=cancel|create_invoice|pause}}',
  'GET /subscriptions/:id': 'expand[]',
  'GET /subscriptions':
    'automatic_tax{enabled!?} collection_method=charge_automatically|send_invoice created~{gt# gte# lt# lte#} current_period_end~{gt# gte# lt# lte#} current_period_start~{gt# gte# lt# lte#} customer customer_account expand[] plan price status=active|all|canceled|ended|incomplete|incomplete_expired|past_due|paused|trialing|unpaid test_clock ending_before limit# starting_after',
  'POST /subscriptions/:id':
    'add_invoice_items[]{discountable? discounts[]{coupon discount promotion_code} metadata* period{end!{timestamp# type!=min_item_period_end|timestamp} start!{timestamp# type!=timestamp|max_item_period_start|now}} price price_data{currency! product! tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} application_fee_percent automatic_tax{enabled!? liability{account type!=account|self}} billing_cycle_anchor{type!=now|unchanged} billing_schedules[]{applies_to[]{price type!=price} bill_until{duration{interval!=day|month|week|year interval_count#} timestamp# type!=timestamp|duration} key} billing_thresholds{amount_gte# reset_billing_cycle_anchor?} cancel_at cancel_at_period_end? cancellation_details{comment feedback=|other|customer_service|low_quality|missing_features|switched_service|too_complex|too_expensive|unused feedback_option} collection_method=charge_automatically|send_invoice days_until_due# default_payment_method default_source default_tax_rates[] description discounts[]{coupon discount promotion_code} expand[] invoice_settings{account_tax_ids[] custom_fields[]{name! value!} description footer issuer{account type!=account|self}} items[]{billing_thresholds{usage_gte!#} clear_usage? current_trial{trial_offer!} deleted? discounts[]{coupon discount promotion_code} id metadata* plan price price_data{currency! product! recurring!{interval!=day|month|week|year interval_count#} tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} metadata* off_session? on_behalf_of pause_collection{behavior!=keep_as_draft|mark_uncollectible|void resumes_at#} payment_behavior=allow_incomplete|default_incomplete|error_if_incomplete|pending_if_incomplete payment_settings{payment_method_options{acss_debit* bancontact* billie* blik* card{mandate_options{amount# amount_type=fixed|maximum description} network=cartes_bancaires|mastercard|visa|link|amex|diners|discover|eftpos_au|girocard|interac|jcb|unionpay|unknown request_three_d_secure=automatic|any|challenge} customer_balance* konbini* payto* pix* sepa_debit* upi* us_bank_account*} payment_method_types[] save_default_payment_method=off|on_subscription} pending_invoice_item_interval{interval!=day|month|week|year interval_count#} proration_behavior=none|always_invoice|create_prorations proration_date# transfer_data{amount_percent# destination!} trial_end trial_from_plan? trial_settings{end_behavior!{billing_cycle_anchor=now|unchanged missing_payment_method=cancel|create_invoice|pause}}',
  'DELETE /subscriptions/:id':
    'cancellation_details{comment feedback=|other|customer_service|low_quality|missing_features|switched_service|too_complex|too_expensive|unused feedback_option} expand[] invoice_now? prorate?',
  'POST /subscription_schedules':
    'billing_mode* customer customer_account default_settings* end_behavior=cancel|none|release|renew expand[] from_subscription metadata* pause_schedules[]{key pause{pause_at!{timestamp# type!=now|timestamp} settings{bill_for{outstanding_usage_through{type=none|pause_at} unused_time_from{type=item_current_period_start|none|pause_at}} invoicing_behavior=invoice|pending_invoice_item type=subscription}} resume{resume_at!{duration{interval!=day|month|week|year interval_count#} timestamp# type!=duration|now|timestamp} settings{billing_cycle_anchor=resume_at|unchanged payment_behavior=resume_on_payment_attempt|resume_on_payment_success proration_behavior=always_invoice|create_prorations|none}}} phases[]* start_date',
  'GET /subscription_schedules/:id': 'expand[]',
  'POST /subscription_schedules/:id':
    'default_settings* end_behavior=cancel|none|release|renew expand[] metadata* pause_schedules[]{key pause{pause_at{timestamp# type!=now|timestamp} settings*} resume{resume_at{duration{interval!=day|month|week|year interval_count#} timestamp# type!=duration|now|timestamp} settings{billing_cycle_anchor=resume_at|unchanged payment_behavior=resume_on_payment_attempt|resume_on_payment_success proration_behavior=always_invoice|create_prorations|none}}} phases[]{add_invoice_items[]* application_fee_percent automatic_tax* billing_cycle_anchor=automatic|phase_start collection_method=charge_automatically|send_invoice currency default_payment_method default_tax_rates[] description discounts[]{coupon discount promotion_code} duration{interval!=day|month|week|year interval_count#} end_date# invoice_settings* items![]{billing_thresholds{usage_gte!#} discounts[]{coupon discount promotion_code} metadata* plan price price_data{currency! product! recurring!{interval!=day|month|week|year interval_count#} tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} metadata* on_behalf_of proration_behavior=always_invoice|create_prorations|none start_date transfer_data* trial? trial_end# trial_settings*} proration_behavior=always_invoice|create_prorations|none',
  'POST /subscription_schedules/:id/release': 'expand[] preserve_cancel_date?',
  'POST /invoices/create_preview':
    'automatic_tax* billing_mode* coupon currency customer customer_account customer_details* discounts[]{coupon discount promotion_code} expand[] invoice_items[]* issuer* on_behalf_of preview_mode=next|recurring schedule schedule_details* subscription subscription_details{billing_cycle_anchor billing_mode* billing_schedules[]* cancel_at# cancel_at_period_end? cancel_now? default_tax_rates[] items[]{billing_thresholds{usage_gte!#} clear_usage? deleted? discounts[]{coupon discount promotion_code} id metadata* plan price price_data{currency! product! recurring!{interval!=day|month|week|year interval_count#} tax_behavior=unspecified|exclusive|inclusive unit_amount# unit_amount_decimal} quantity# tax_rates[]} proration_behavior=always_invoice|create_prorations|none proration_date# resume_at=now start_date# trial_end}',
  'GET /invoices/:id': 'expand[]',
  'GET /invoices':
    'collection_method=charge_automatically|send_invoice created~{gt# gte# lt# lte#} customer customer_account due_date~{gt# gte# lt# lte#} expand[] status=void|draft|open|paid|uncollectible subscription ending_before limit# starting_after',
  'POST /invoices/:id':
    'account_tax_ids[] application_fee_amount# auto_advance? automatic_tax* automatically_finalizes_at# collection_method=charge_automatically|send_invoice custom_fields[]{name! value!} days_until_due# default_payment_method default_source default_tax_rates[] description discounts[]{coupon discount promotion_code} due_date# effective_at# expand[] footer issuer* metadata* number on_behalf_of payment_settings* rendering* shipping_cost* shipping_details* statement_descriptor transfer_data*',
  'POST /invoices/:id/pay':
    'expand[] forgive? mandate off_session? paid_out_of_band? payment_method source',
  'POST /setup_intents':
    'allowed_payment_method_types[] attach_to_self? automatic_payment_methods{allow_redirects=always|never enabled!?} confirm? confirmation_token customer customer_account description excluded_payment_method_types[] expand[] flow_directions[] mandate_data* metadata* on_behalf_of payment_method payment_method_configuration payment_method_data* payment_method_options{acss_debit* amazon_pay* bacs_debit* bizum* card{mandate_options{amount!# amount_type!=fixed|maximum currency! description end_date# interval!=day|month|week|year|sporadic interval_count# reference! start_date!# supported_types[]=india} moto? network=cartes_bancaires|mastercard|visa|link|amex|diners|discover|eftpos_au|girocard|interac|jcb|unionpay|unknown request_three_d_secure=automatic|any|challenge three_d_secure*} card_present* klarna* link* paypal* payto* pix* sepa_debit* upi* us_bank_account*} return_url single_use{amount!# currency!} usage=off_session|on_session use_stripe_sdk?',
  'GET /setup_intents/:id': 'client_secret expand[]',
  'POST /invoices/:id/void': 'expand[]',
  'POST /invoices/:id/mark_uncollectible': 'expand[]',
  'POST /payment_intents':
    'amount!# currency! allowed_payment_method_types[] amount_details{discount_amount enforce_arithmetic_validation? line_items[]{discount_amount# payment_method_options{card{commodity_code} card_present* klarna* paypal*} product_code product_name! quantity!# tax{total_tax_amount!#} unit_cost!# unit_of_measure} shipping{amount from_postal_code to_postal_code} tax{total_tax_amount!#}} application_fee_amount# automatic_payment_methods{allow_redirects=always|never enabled!?} capture_method=automatic|manual|automatic_async confirm? confirmation_method=automatic|manual confirmation_token customer customer_account description error_on_requires_action? excluded_payment_method_types[] expand[] hooks{inputs{tax{calculation!}}} mandate mandate_data{customer_acceptance!{accepted_at# offline{} online{ip_address! user_agent!} type!=offline|online}} metadata* off_session on_behalf_of payment_details{customer_reference order_reference} payment_method payment_method_configuration payment_method_data{acss_debit* affirm* afterpay_clearpay* alipay* allow_redisplay=always|limited|unspecified alma* amazon_pay* au_becs_debit* bacs_debit* bancontact* billie* billing_details{address{city country line1 line2 postal_code state} email name phone tax_id} bizum* blik* boleto* cashapp* crypto* customer_balance* eps* fpx* giropay* grabpay* ideal* interac_present* kakao_pay* klarna* konbini* kr_card* link* mb_way* metadata* mobilepay* multibanco* naver_pay* nz_bank_account* oxxo* p24* pay_by_bank* payco* paynow* paypal* paypay* payto* pix* promptpay* radar_options{session} revolut_pay* samsung_pay* satispay* scalapay* sepa_debit* sequra* sofort* sunbit* swish* twint* type!=blik|acss_debit|affirm|afterpay_clearpay|alipay|alma|amazon_pay|au_becs_debit|bacs_debit|bancontact|billie|bizum|boleto|cashapp|crypto|customer_balance|eps|fpx|giropay|grabpay|ideal|kakao_pay|klarna|konbini|kr_card|link|mb_way|mobilepay|multibanco|naver_pay|nz_bank_account|oxxo|p24|pay_by_bank|payco|paynow|paypal|paypay|payto|pix|promptpay|revolut_pay|samsung_pay|satispay|scalapay|sepa_debit|sequra|sofort|sunbit|swish|twint|upi|us_bank_account|wechat_pay|zip upi* us_bank_account* wechat_pay* zip*} payment_method_options{acss_debit* affirm* afterpay_clearpay* alipay* alma* amazon_pay* au_becs_debit* bacs_debit* bancontact* billie* bizum* blik* boleto* card{capture_method=|manual cvc_token installments{enabled? plan{count# interval=month type!=bonus|fixed_count|revolving}} mandate_options{amount!# amount_type!=fixed|maximum description end_date# interval!=day|month|week|year|sporadic interval_count# reference! start_date!# supported_types[]=india} moto? network=cartes_bancaires|mastercard|visa|link|amex|diners|discover|eftpos_au|girocard|interac|jcb|unionpay|unknown request_extended_authorization=never|if_available request_incremental_authorization=never|if_available request_multicapture=never|if_available request_overcapture=never|if_available request_three_d_secure=automatic|any|challenge require_cvc_recollection? setup_credential_usage=recurring|installment|unscheduled setup_future_usage=|none|off_session|on_session statement_descriptor_suffix_kana statement_descriptor_suffix_kanji stored_credential_usage=recurring|installment|unscheduled three_d_secure{ares_trans_status=A|C|I|N|R|U|Y cryptogram! electronic_commerce_indicator=01|02|05|06|07 exemption_indicator=none|low_risk network_options{cartes_bancaires{cb_avalgo!=A|0|1|2|3|4 cb_exemption cb_score#}} requestor_challenge_indicator transaction_id! version!=1.0.2|2.1.0|2.2.0|2.3.0|2.3.1}} card_present* cashapp* crypto* customer_balance* eps* fpx* giropay* grabpay* ideal* interac_present* kakao_pay* klarna* konbini* kr_card* link* mb_way* mobilepay* multibanco* naver_pay* nz_bank_account* oxxo* p24* pay_by_bank* payco* paynow* paypal* paypay* payto* pix* promptpay* revolut_pay* samsung_pay* satispay* scalapay* sepa_debit* sequra* sofort* sunbit* swish* twint* upi* us_bank_account* wechat_pay* zip*} radar_options{referrer session} receipt_email return_url setup_future_usage=off_session|on_session shipping{address!{city country line1 line2 postal_code state} carrier name! phone tracking_number} statement_descriptor statement_descriptor_suffix transfer_data{amount# description destination! metadata* payment_data{description metadata*}} transfer_group use_stripe_sdk?',
  'GET /payment_intents/:id': 'client_secret expand[]',
  'GET /payment_intents':
    'created~{gt# gte# lt# lte#} customer customer_account expand[] ending_before limit# starting_after',
  'POST /payment_intents/:id/confirm':
    'allowed_payment_method_types[] amount_details{discount_amount enforce_arithmetic_validation? line_items[]{discount_amount# payment_method_options{card{commodity_code} card_present* klarna* paypal*} product_code product_name! quantity!# tax{total_tax_amount!#} unit_cost!# unit_of_measure} shipping{amount from_postal_code to_postal_code} tax{total_tax_amount!#}} amount_to_confirm# capture_method=automatic|manual|automatic_async confirmation_token error_on_requires_action? excluded_payment_method_types[] expand[] hooks{inputs{tax{calculation!}}} mandate mandate_data{customer_acceptance{accepted_at# offline{} online{ip_address user_agent} type!=offline|online}} off_session payment_details{customer_reference order_reference} payment_method payment_method_data{acss_debit* affirm* afterpay_clearpay* alipay* allow_redisplay=always|limited|unspecified alma* amazon_pay* au_becs_debit* bacs_debit* bancontact* billie* billing_details{address{city country line1 line2 postal_code state} email name phone tax_id} bizum* blik* boleto* cashapp* crypto* customer_balance* eps* fpx* giropay* grabpay* ideal* interac_present* kakao_pay* klarna* konbini* kr_card* link* mb_way* metadata* mobilepay* multibanco* naver_pay* nz_bank_account* oxxo* p24* pay_by_bank* payco* paynow* paypal* paypay* payto* pix* promptpay* radar_options{session} revolut_pay* samsung_pay* satispay* scalapay* sepa_debit* sequra* sofort* sunbit* swish* twint* type!=blik|acss_debit|affirm|afterpay_clearpay|alipay|alma|amazon_pay|au_becs_debit|bacs_debit|bancontact|billie|bizum|boleto|cashapp|crypto|customer_balance|eps|fpx|giropay|grabpay|ideal|kakao_pay|klarna|konbini|kr_card|link|mb_way|mobilepay|multibanco|naver_pay|nz_bank_account|oxxo|p24|pay_by_bank|payco|paynow|paypal|paypay|payto|pix|promptpay|revolut_pay|samsung_pay|satispay|scalapay|sepa_debit|sequra|sofort|sunbit|swish|twint|upi|us_bank_account|wechat_pay|zip upi* us_bank_account* wechat_pay* zip*} payment_method_options{acss_debit* affirm* afterpay_clearpay* alipay* alma* amazon_pay* au_becs_debit* bacs_debit* bancontact* billie* bizum* blik* boleto* card{capture_method=|manual cvc_token installments{enabled? plan{count# interval=month type!=bonus|fixed_count|revolving}} mandate_options{amount!# amount_type!=fixed|maximum description end_date# interval!=day|month|week|year|sporadic interval_count# reference! start_date!# supported_types[]=india} moto? network=cartes_bancaires|mastercard|visa|link|amex|diners|discover|eftpos_au|girocard|interac|jcb|unionpay|unknown request_extended_authorization=never|if_available request_incremental_authorization=never|if_available request_multicapture=never|if_available request_overcapture=never|if_available request_three_d_secure=automatic|any|challenge require_cvc_recollection? setup_credential_usage=recurring|installment|unscheduled setup_future_usage=|none|off_session|on_session statement_descriptor_suffix_kana statement_descriptor_suffix_kanji stored_credential_usage=recurring|installment|unscheduled three_d_secure{ares_trans_status=A|C|I|N|R|U|Y cryptogram! electronic_commerce_indicator=01|02|05|06|07 exemption_indicator=none|low_risk network_options{cartes_bancaires{cb_avalgo!=A|0|1|2|3|4 cb_exemption cb_score#}} requestor_challenge_indicator transaction_id! version!=1.0.2|2.1.0|2.2.0|2.3.0|2.3.1}} card_present* cashapp* crypto* customer_balance* eps* fpx* giropay* grabpay* ideal* interac_present* kakao_pay* klarna* konbini* kr_card* link* mb_way* mobilepay* multibanco* naver_pay* nz_bank_account* oxxo* p24* pay_by_bank* payco* paynow* paypal* paypay* payto* pix* promptpay* revolut_pay* samsung_pay* satispay* scalapay* sepa_debit* sequra* sofort* sunbit* swish* twint* upi* us_bank_account* wechat_pay* zip*} radar_options{referrer session} receipt_email return_url setup_future_usage=|off_session|on_session shipping{address!{city country line1 line2 postal_code state} carrier name! phone tracking_number} use_stripe_sdk?',
  'POST /payment_intents/:id/cancel':
    'cancellation_reason=abandoned|duplicate|fraudulent|requested_by_customer expand[]',
  'POST /refunds':
    'amount# charge currency customer expand[] instructions_email metadata* origin=customer_balance payment_intent reason=duplicate|fraudulent|requested_by_customer refund_application_fee? reverse_transfer?',
  'GET /refunds':
    'charge created~{gt# gte# lt# lte#} expand[] payment_intent ending_before limit# starting_after',
  'GET /charges':
    'created~{gt# gte# lt# lte#} customer expand[] payment_intent transfer_group ending_before limit# starting_after',
  'GET /balance_transactions':
    'created~{gt# gte# lt# lte#} currency expand[] payout source type ending_before limit# starting_after',
  'GET /payouts':
    'arrival_date~{gt# gte# lt# lte#} created~{gt# gte# lt# lte#} destination expand[] status ending_before limit# starting_after',
  'GET /events':
    'created~{gt# gte# lt# lte#} delivery_success? expand[] type types[] ending_before limit# starting_after',
  'POST /tax/calculations':
    'currency! customer customer_details{address{city country! line1 line2 postal_code state} address_source=billing|shipping ip_address tax_ids[]{type! value!} taxability_override=customer_exempt|none|reverse_charge} expand[] line_items![]{amount!# metadata* product quantity# reference tax_behavior=exclusive|inclusive tax_code} ship_from_details* shipping_cost* tax_date#',
  'POST /coupons':
    'amount_off# applies_to{products[]} currency currency_options* duration=forever|once|repeating duration_in_months# expand[] id max_redemptions# metadata* name percent_off redeem_by#',
  'GET /radar/early_fraud_warnings':
    'charge created~{gt# gte# lt# lte#} expand[] payment_intent ending_before limit# starting_after',
  'GET /disputes':
    'charge created~{gt# gte# lt# lte#} expand[] payment_intent ending_before limit# starting_after',
  'POST /disputes/:id':
    'evidence{access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal customer_communication customer_email_address customer_name customer_purchase_ip customer_signature duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id enhanced_evidence* product_description receipt refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number uncategorized_file uncategorized_text} expand[] intended_submission_method=manual|prefer_manual|prefer_smart_disputes|smart_disputes metadata* submit?',
  'POST /disputes/:id/close': 'expand[]',
  'POST /product_catalog/trial_offers':
    'duration!{relative{iterations!#} type!=relative} end_behavior!{transition!{price!}} price! active? expand[] nickname',
  'GET /product_catalog/trial_offers/:id': 'expand[]',
};

interface Rule {
  required: boolean;
  list: boolean;
  kind: 'text' | 'whole' | 'flag' | 'map' | 'group';
  allowsScalar: boolean;
  values: string[];
  inner: Rules;
}

type Rules = Map<string, Rule>;
const parsed = new Map<string, Rules>();

/** Parses the notation of PARAMETERS from `at` to the closing brace. */
function read(source: string, at: number): [Rules, number] {
  const rules: Rules = new Map();
  let i = at;
  while (i < source.length && source[i] !== '}') {
    const [whole, name = '', bang, list, mark] =
      /^ ?([a-zA-Z0-9_]+)(!?)((?:\[\])*)(~?\{|[#?*]|=[^ }]*)?/.exec(source.slice(i)) ?? [];
    if (!whole) throw new Error(`PARAMETERS: cannot read ${source.slice(i, i + 40)}`);
    i += whole.length;
    const rule: Rule = {
      required: bang === '!',
      list: Boolean(list),
      kind: mark === '#' ? 'whole' : mark === '?' ? 'flag' : mark === '*' ? 'map' : 'text',
      allowsScalar: mark === '~{',
      values: mark?.startsWith('=') ? mark.slice(1).split('|').filter(Boolean) : [],
      inner: new Map(),
    };
    if (mark?.endsWith('{')) {
      rule.kind = 'group';
      [rule.inner, i] = read(source, i);
      i += 1;
    }
    rules.set(name, rule);
  }
  return [rules, i];
}

function rulesOf(call: string): Rules | undefined {
  const source = PARAMETERS[call];
  if (source === undefined) return undefined;
  const known = parsed.get(call) ?? read(source, 0)[0];
  parsed.set(call, known);
  return known;
}

function checkScalar(value: string, rule: Rule, name: string): void {
  if (value === '') return;
  if (rule.kind === 'whole' && !/^-?\d+$/.test(value) && value !== 'now') {
    throw invalid(`Invalid integer: ${value}`, 'parameter_invalid_integer', name);
  }
  if (rule.kind === 'flag' && value !== 'true' && value !== 'false') {
    throw invalid(`Invalid boolean: ${value}`, undefined, name);
  }
  if (rule.values.length > 0 && !rule.values.includes(value)) {
    const choices = rule.values.join(', ');
    throw invalid(`Invalid ${name}: must be one of ${choices}`, undefined, name);
  }
}

function checkValue(value: Param, rule: Rule, name: string): void {
  if (Array.isArray(value)) {
    if (!rule.list) throw invalid(`Invalid ${rule.kind}: ${name} is a list`, undefined, name);
    value.forEach((item, i) => void checkValue(item, { ...rule, list: false }, `${name}[${i}]`));
  } else if (typeof value === 'string') {
    const scalar = rule.kind !== 'group' || rule.allowsScalar || value === '';
    if (!scalar || (rule.list && value !== '')) {
      throw invalid(rule.list ? 'Invalid array' : 'Invalid object', undefined, name);
    }
    checkScalar(value, rule, name);
  } else if (rule.kind === 'group') {
    checkAll(value, rule.inner, name);
  } else if (rule.kind !== 'map') {
    throw invalid('Invalid string', undefined, name);
  }
}

function checkAll(params: Params, rules: Rules, parent: string): void {
  const full = (name: string) => (parent ? `${parent}[${name}]` : name);
  for (const [name, value] of Object.entries(params)) {
    const rule = rules.get(name);
    if (!rule) {
      const param = full(name);
      throw invalid(`Received unknown parameter: ${param}`, 'parameter_unknown', param);
    }
    checkValue(value, rule, full(name));
  }
  for (const [name, rule] of rules) {
    if (!rule.required || params[name] !== undefined) continue;
    const param = full(name);
    throw invalid(`Missing required param: ${param}.`, 'parameter_missing', param);
  }
}

/**
 * Refuses invalid parameters as Stripe does: `parameter_unknown`, `parameter_missing`, `parameter_invalid_integer`.
 * https://docs.stripe.com/error-codes
 * @param call method and pattern, such as `POST /customers/:id`
 */
export function validate(call: string, params: Params): void {
  const rules = rulesOf(call);
  if (rules) checkAll(params, rules, '');
}

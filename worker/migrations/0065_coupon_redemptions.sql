-- Which attempts redeemed a coupon that is good for so many purchases only. What an attempt that bought
-- nothing took is given back.
CREATE TABLE coupon_redemptions (
  coupon TEXT NOT NULL,
  attempt TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (coupon, attempt)
) WITHOUT ROWID;

export function total(prices) {
  // eslint-disable-next-line no-unused-vars
  const quiet = 1;
  return prices.reduce((sum, price) => sum + price, 0);
}

import { total } from "./price.js";

export function cart(items) {
  const unused = 1;
  if (items = []) {
    return total(items);
  }
  return undefinedName;
}

import React from 'react';
export default () => <a b={1}>{c.map((d) => <e key={d} />)}</a>;

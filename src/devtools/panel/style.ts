/**
 * Light and dark follow `color-scheme`, which the system or the option `theme` sets. Colors: ground, raised, line, ink,
 * faint, accent, tint of the accent, warm, bad, blue; and the font of data.
 */
export const css: string = `
:host{all:initial;color-scheme:light dark;--g:light-dark(#fff,#16191c);--r:light-dark(#f3f5f6,#1e2226);--l:light-dark(#dfe2e5,#30363c);--i:light-dark(#1b1f23,#e6e8ea);--f:light-dark(#59636c,#99a3ab);--a:light-dark(#0b6e69,#58c7bd);--t:light-dark(#def0ee,#193633);--w:light-dark(#8f5600,#f0b35c);--b:light-dark(#a8321e,#f09a87);--u:light-dark(#2457a6,#8db8ff);--m:12px/1.5 ui-monospace,Menlo,Consolas,monospace}
*{box-sizing:border-box;scrollbar-width:thin;min-width:0}
[hidden],.return{display:none!important}
.launcher,.panel{position:fixed;z-index:99999;font:13px/1.45 system-ui,sans-serif;color:var(--i)}
button,input,select{font:inherit;color:inherit;margin:0;background:none;border:0;padding:0}
button:disabled{opacity:.45}
h2,h3,p,ul,ol,dl,dd,pre{margin:0;padding:0;list-style:none}
h2,.about,.cause,.pk,.link,.where{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
h2,b{font-size:13px;font-weight:600}
h3,summary{margin:12px 0 6px;font-size:11px;font-weight:600}
:focus-visible{outline:2px solid var(--a);outline-offset:-2px}
svg{display:block;width:16px;fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.launcher{right:14px;bottom:14px;width:40px;height:40px;border-radius:50%;display:grid;place-items:center;background:var(--a);color:var(--g)}
.panel{container:devtools/inline-size;display:flex;flex-direction:column;background:var(--g);box-shadow:0 0 0 1px var(--l),0 0 24px #0002;inset:auto 0 0;height:min(var(--size),100dvh - 20px)}
.splitter{position:absolute;touch-action:none;inset:-4px 0 auto;height:7px;cursor:row-resize}
.head,.travel,.bar,.brand,header,.reasons li,.row{display:flex;align-items:center;gap:6px;flex:none}
.head,.travel{height:38px;padding:0 8px;border:solid var(--l);border-width:0 0 1px;background:var(--r)}
.travel{border-width:1px 0 0}
.brand{margin:0 6px}
.brand svg{color:var(--a)}
.names{display:flex;height:100%;overflow:auto hidden;scrollbar-width:none}
.names button{padding:0 10px;color:var(--f);font-weight:600}
.names [aria-selected=true]{color:var(--i);box-shadow:inset 0 -2px var(--a)}
.names b,.badge{margin-left:6px;padding:1px 6px;border-radius:9px;font-size:11px;background:var(--t);color:var(--a);white-space:nowrap}
.gap,.row .about,.bar input,.side,.scroll,.list,.body,.tab,.browse,[type=range]{flex:1}
.icon{flex:none;width:28px;height:28px;display:grid;place-items:center;border-radius:6px}
.icon:hover,.button:hover,.row:hover{background:var(--l)}
.button,input:not([type=range]),select{height:26px;padding:0 8px;border:1px solid var(--l);border-radius:6px;font-size:12px;white-space:nowrap}
.button{flex:none;font-weight:600}
select{max-width:130px}
.body,.tab,.browse{min-height:0;display:flex}
.side{flex-grow:4;display:flex;flex-direction:column}
.bar{padding:6px 8px;border-bottom:1px solid var(--l)}
.list{overflow:hidden auto;contain:strict}
.rows{position:relative}
.row{position:absolute;left:0;right:0;height:26px;padding:0 10px}
[aria-selected=true].row,[aria-pressed=true].button{background:var(--t)}
.number,.count,.span,time{flex:none;min-width:28px;text-align:right;font:var(--m);font-size:11px}
.cause{flex:none;width:100px;font-weight:600;font-size:12px;color:var(--f)}
.cause::before{content:'● ';font-size:8px;vertical-align:1px}
[data-cause=fetch],[data-cause=setResponse],[data-op=add]{color:var(--a)}
[data-cause=call],[data-cause=pending],.away .where{color:var(--w)}
[data-cause=set],[data-cause=applyPatches],[data-op=replace]{color:var(--u)}
[data-cause^=fail],[data-op=remove]{color:var(--b)}
.span{width:58px}
.times{flex:none;width:22%;height:8px;display:flex}
.times i{flex:none;min-width:2px;background:var(--f)}
.times .waiting{background:var(--a);opacity:.45}
.times .body{background:var(--a)}
.times .landing{background:var(--u)}
.times .late{min-width:6px;background:var(--w)}
.detail{flex:3;overflow:auto;padding:0 12px 12px;border-left:1px solid var(--l)}
.detail header{position:sticky;top:0;min-height:39px;margin:0 -12px;padding:0 12px;background:var(--g);border-bottom:1px solid var(--l)}
dl{display:grid;grid-template-columns:auto 1fr;gap:3px 12px;margin:8px 0;font-size:12px}
dt,.faint,.where,.empty,th,.number,.count,.span,time,h3,summary,.icon,::placeholder{color:var(--f)}
dd,pre,.patches,table,.about,.pk,.link{font:var(--m);overflow-wrap:anywhere}
pre{white-space:pre-wrap}
.empty,.where,.keepers,.reasons{font-size:12px}
.list .empty{padding:10px}
.patches li{display:flex;flex-wrap:wrap;gap:0 8px;padding:2px 0}
code{font:inherit}
em{font-style:normal;font-weight:600}
.op{width:54px;font-size:12px}
table{width:100%;margin-top:8px}
th{width:1%;padding-right:10px;font-weight:400;text-align:left;white-space:nowrap}
td input{width:100%;font:inherit}
td input:not(:hover,:focus){border-color:#0000!important}
.list+.list{flex-grow:2;border-left:1px solid var(--l)}
.pk{flex:none;min-width:48px;max-width:45%;font-weight:600}
.why,.pending{flex-direction:column}
.why .bar input{flex:0 1 260px;margin-left:auto}
.scroll{min-height:0;overflow:auto;padding:0 12px 12px}
.flow,.columns{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:16px;padding-top:12px}
.columns{grid-template-columns:3fr 2fr;padding:0}
.column,.card{position:relative;padding:8px 10px;border:1px solid var(--l);border-radius:8px;background:var(--r);margin-bottom:8px}
.column+.column::before{content:'›';position:absolute;left:-13px;top:6px;font-size:16px;color:var(--f)}
.column h3{margin:0 0 4px}
strong{font-size:16px;color:var(--i)}
.link{max-width:100%}
.link:hover,.link[aria-pressed=true]{color:var(--a);text-decoration:underline}
.reasons li{min-height:30px}
.reasons time{margin-left:auto}
.reasons .cause{width:auto}
.away{background:light-dark(#fdf0d9,#3a2a12)}
[type=range]{accent-color:var(--a);min-width:60px}
@media(min-width:700px){
.panel[data-dock=right]{inset:0 0 0 auto;height:auto;width:min(var(--size),100vw)}
[data-dock=right] .splitter{inset:0 auto 0 -4px;height:auto;width:7px;cursor:col-resize}
}
@media(max-width:699px){.dock{display:none}}
@container devtools (max-width:620px){
.brand b,.span,.detail,.deep .side{display:none}
.deep .detail{display:block;border:0}
.return{display:grid!important}
.bar,header:not(.head),.reasons li{flex-wrap:wrap;padding-block:5px}
.bar input{flex:1 1 100%!important}
.bar select{flex:1}
.times{width:64px}
.cause{width:84px}
.flow,.columns{grid-template-columns:minmax(0,1fr);gap:0}
.column+.column::before{content:none}
.travel{gap:3px}
}
`

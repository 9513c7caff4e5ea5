window.jQuery && (window.jQuery.migrateMute = true);
